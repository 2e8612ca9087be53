// Secrets are taken out of commands, and nothing else is.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { recordedArguments, recordedText } from '../../src/audit/arguments.ts';
import { Redactor } from '../../src/audit/redact.ts';
import { isSecretName } from '../../src/audit/secret-names.ts';
import { seeded } from '../output/support.ts';

const redactor = new Redactor();
/** Put together here, so that no scanner takes this file for a leak. */
const A = (length: number): string => 'aB3dE5gH7j'.repeat(30).slice(0, length);
const HEX = (length: number): string => '0123456789abcdef'.repeat(8).slice(0, length);
const PEM = `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\nb3BlbnNzaC1rZXk\nAAAA\n-----END OPENSSH ${'PRIVATE'} KEY-----`;

/** Secret and command. In the command the secret stands as `@`. */
const IN_PLACES: readonly (readonly [string, string])[] = [
  ['abcdef123456', "curl -H 'Authorization: Bearer @' https://x"],
  ['abcdef123456', 'curl -H "Authorization: token @" https://x'],
  ['dXNlcjpwdw==', 'curl -H Authorization:\\ Basic\\ @ https://x && ls'],
  ['session=abc; theme=dark', "curl -H 'Cookie: @' https://x"],
  ['abc def', 'curl -H "X-Api-Key: @" https://x'],
  ['secret', 'mysql -u root -p@ shop'],
  ['secret', 'mysqldump --single-transaction -p@ shop > dump.sql'],
  ['xyz', 'export API_KEY=@'],
  ['p', 'git clone https://u:@#h/x.git'],
  ['p#ss', 'psql postgres://u:@#h:5432/db'],
  ['hunter2', 'redis://:@#cache.local:6379/0'],
  ['hunter2', 'go run . "root:@#tcp(localhost:3306)/db"'],
  ['hunter2', 'rsync me:@#backup.example.org::files .'],
  ['a b c', "DB_PASSWORD='@' FOO=bar ./run"],
  ['a b c', 'PGPASSWORD="@" psql -h x'],
  ['x\\ y', 'env MYSQL_PWD=@ mysql'],
  ['s3cr3t', 'tool --password @ --host h'],
  ['s3cr3t', 'tool --db-password=@ --host h'],
  ['s3cr3t', 'tool --client-secret "@"'],
  ['s3cr3t', 'tool -token @'],
  ['pw', 'docker login -u me -p @ registry.example.org'],
  ['pw', 'docker run -e POSTGRES_PASSWORD=@ postgres:16'],
  ['pw', 'kubectl create secret generic a --from-literal=password=@'],
  ['pw', 'sshpass -p @ ssh host'],
  ['pw', 'sshpass -p@ ssh host'],
  ['pw', 'redis-cli -h x -a @ ping'],
  ['pw', 'curl -u me:@ https://x'],
  ['pw', 'curl --user "me:@" https://x'],
  ['pw', 'openssl rsa -passin pass:@ -in key'],
  ['pw', 'ldapsearch -x -w @ -b dc=x'],
  ['pw', 'smbclient //s/x -U me%@'],
  ['pw', 'htpasswd -b file user @'],
  ['pw', "ssh-keygen -t ed25519 -N '@' -f key"],
  ['pw', 'unzip -P @ a.zip'],
  ['pw', 'gh secret set NAME --body @'],
  ['pw', 'vault login @'],
  ['xyz', 'set -gx API_KEY @'],
  ['xyz', 'set -x GITHUB_TOKEN "@"; make'],
  ['xyz', 'npm config set //registry.npmjs.org/:_authToken @'],
  ['X/Y+z', 'aws configure set aws_secret_access_key @'],
  ['xyz', 'git config --global github.token @'],
  ['x y', `curl -d '{"user":"a","password":"@","n":1}' https://x`],
  ['xyz', 'curl -d "{\\"apiKey\\":\\"@\\"}" https://x'],
  ['abc', 'curl "https://x/?access_token=@&page=1"'],
  ['abc%2Fdef', 'azcopy "https://x/blob?sv=1&sig=@"'],
  ['hunter2', 'cat > c.yml <<E\nuser: bob\npassword: @\nE'],
  ['abc', `python3 -c "import os; os.environ['API_KEY'] = '@'"`],
  ['TABC/BABC/xyz', 'curl https://hooks.slack.com/services/@ -d hi'],
  [PEM, "cat > key <<'E'\n@\nE"],
];

const TOKENS: readonly string[] = [
  `ghp_${A(36)}`, `gho_${A(36)}`, `ghs_${A(36)}`, `github_pat_${A(82)}`, `glpat-${A(20)}`, `AKIA${'ABCDEFGH234567IJ'}`, `ASIA${'ABCDEFGH234567IJ'}`,
  `xoxb-${'123456789012'}-${A(24)}`, `xapp-1-${A(30)}`, `AIza${A(35)}`, `ya29.${A(60)}`, `GOCSPX-${A(28)}`, `eyJ${A(20)}.eyJ${A(40)}.${A(43)}`, `sk_live_${A(24)}`, `rk_test_${A(24)}`, `whsec_${A(32)}`,
  `sk-proj-${A(48)}`, `sk-ant-api03-${A(93)}`, `gsk_${A(52)}`, `hf_${A(34)}`, `npm_${A(36)}`, `pypi-${A(100)}`, `rubygems_${HEX(48)}`, `dckr_pat_${A(27)}`, `SG.${A(22)}.${A(43)}`, `SK${HEX(32)}`, `${HEX(32)}-us12`,
  `dop_v1_${HEX(64)}`, `dapi${HEX(32)}`, `shpat_${HEX(32)}`, `sq0atp-${A(22)}`, `PMAK-${HEX(24)}-${HEX(34)}`, `dp.pt.${A(43)}`, `hvs.${A(40)}`, `${A(14)}.atlasv1.${A(64)}`, `glsa_${A(41)}`, `NRAK-${A(27)}`,
  `pscale_tkn_${A(43)}`, `tskey-auth-${A(20)}`, `ATATT3${A(60)}`, `pul-${HEX(40)}`, `123456789:AA${A(33)}`, `figd_${A(40)}`, `lin_api_${A(40)}`,
];

describe('what must not be kept is taken out, and the rest of the command stays (R160, T26)', () => {
  test.each(IN_PLACES)('%s in %s', (secret, template) => {
    const real = (text: string): string => text.replace('#', '@');
    const [head = '', tail = ''] = template.split('@');
    const { text, count } = redactor.redact(real(head) + real(secret) + real(tail));
    expect(text).toMatch(/\[redacted\]/);
    expect(text.replace(/\[redacted\]/, '@')).toBe(`${real(head)}@${real(tail)}`);
    expect(count).toBe(1);
  });

  test.each(TOKENS)('%s, wherever it stands', (token) => {
    for (const template of ['echo @', 'curl https://x/?q=@&r', "printf '%s' '@' | tool", 'tool --anything=@,b', 'x="@"']) {
      expect(redactor.redact(template.replace('@', token))).toEqual({ text: template.replace('@', '[redacted]'), count: 1 });
    }
  });

  test('several in one command are counted, and a second pass changes nothing', () => {
    const once = redactor.redact(`TOKEN=a B_SECRET='b' tool --password c https://u:d@h ghp_${A(36)}`);
    expect(once).toEqual({ text: "TOKEN=[redacted] B_SECRET='[redacted]' tool --password [redacted] https://u:[redacted]@h [redacted]", count: 5 });
    expect(redactor.redact(once.text)).toEqual({ text: once.text, count: 0 });
  });

  test('patterns of the user are taken out whole, and what matches nothing takes nothing', async () => {
    const own = await Redactor.create(['ACME-\\d+', 'x*']);
    expect(own.redact('tool ACME-12 ACME-345')).toEqual({ text: 'tool [redacted] [redacted]', count: 2 });
    await expect(Redactor.create(['('])).rejects.toMatchObject({ code: 'BAD_PATTERN' });
  });

  test('any secret of at least 8 letters and digits is gone from every place, with any quotes', () => {
    const random = seeded(7);
    for (let round = 0; round < 2_000; round++) {
      const secret = Array.from({ length: 8 + Math.floor(random() * 24) }, () => 'abcdefghkmnpqrstuvwxyz23456789'[Math.floor(random() * 30)]).join('');
      const places = [`A_TOKEN=@`, `A_TOKEN='@'`, `A_TOKEN="@"`, 'tool --password @', `tool --password '@'`, `tool --password="@"`, 'ssh://u:@#h', `x -H 'Authorization: Bearer @'`, `{"secret": "@"}`, 'mysql -p@'];
      const place = places[Math.floor(random() * places.length)] ?? '';
      const command = `cd /a && ${place.replace('@', secret).replace('#', '@')} | tail -3`;
      expect(redactor.redact(command).text, command).not.toContain(secret);
    }
  });
});

describe('ordinary commands are not mangled', () => {
  test.each([
    'ls -la', 'git log --oneline -5 | head', 'git commit -m "add token refresh" --author="A B <a@b.org>"', 'git clone git@github.com:a/b.git', 'mysql -p shop', 'mysql --protocol=tcp -P 3306', 'docker run -p 80:80 -v a:/b node:20', 'docker pull node:20@sha256:abcdef',
    'pg_dump --no-password shop', 'PATH=/bin:$PATH PWD=/x OLDPWD=/y ls', 'sort --key=2 -t: /etc/passwd', 'git clone https://$USER:$TOKEN@github.com/a/b', 'curl -H "Authorization: Bearer $TOKEN" https://x', 'TOKEN=$(pass show x) make', 'TOKEN="${OTHER}" make', 'API_KEY= make',
    'docker login --password-stdin -u me', 'tool --token-file /run/token --max-tokens=5', 'grep -rn "password" src', 'find . -name "*.key" -newer a', 'echo "error: bad token: expired"', 'for key in a b; do echo "$key"; done', 'sed -i s/secret/public/ a.txt', 'npm i foo@npm:bar@1.2.3',
    'ssh -i ~/.ssh/id_ed25519 me@host', 'python3 -c "print(1)"', 'mail bob@example.org < a', 'echo mailto:bob@example.org', 'xmllint --xpath "//a[@b=1]" x.xml', 'awk -F: \'{ print $1 }\' /etc/passwd', 'tar --exclude=pass.txt -czf a.tgz .', 'make PRIMARY_KEY=id SORT_KEY=name', 'npx tsc --noEmit -p .', 'curl https://example.org:8080/a?b=c@d', 'if [ "$TOKEN" = "" ]; then exit 1; fi', 'echo 0123456789abcdef0123456789abcdef01234567', 'git show 9fceb02d0ae598e95dc970b74767f19372d61af8', 'kubectl get secret web -o yaml', 'cut -d= -f2 < .env', 'ls https://x/y:z/', 'rsync -a src/ host:dst/', 'openssl x509 -in cert.pem -noout', 'date +%H:%M:%S', 'echo "a: b"', 'cat key.pub', 'ssh-keygen -t ed25519 -f key',
    'read -rsp "Password: " x; echo "done"', `read -p 'Token: ' y && echo 'z'`, 'python3 -c \'import getpass; p = getpass.getpass("Password: "); print("ok")\'', 'printf "Enter password: "; cat',
  ])('%s', (command) => {
    expect(redactor.redact(command)).toEqual({ text: command, count: 0 });
  });

  test('words without the name of a secret stay, however they are put together', () => {
    const random = seeded(11);
    const words = ['ls', 'cat', 'git', 'commit', '-m', "'a b'", '"c d"', '--all', '--name=x', 'A=b', '|', '&&', ';', '$HOME', '$(pwd)', '/usr/bin/x', 'src/a.ts:12', '2>&1', '>', 'a.txt', '--', '-p', '8080:80', 'a@b', '{1..3}', '*.ts', '\\', '\n', '"$x"', 'https://example.org/a?b=c#d', 'key', 'monkey=1', 'tokens', 'author=me', '{"a": "b"}', '-u', 'user'];
    for (let round = 0; round < 5_000; round++) {
      const command = Array.from({ length: 1 + Math.floor(random() * 12) }, () => words[Math.floor(random() * words.length)]).join(' ');
      expect(redactor.redact(command).text).toBe(command);
    }
  });

  test.each([['DB_PASSWORD', true], ['apiKey', true], ['AWS_SECRET_ACCESS_KEY', true], ['githubToken', true], ['_auth', false], ['npm_auth', true], ['KEY', false], ['PWD', false], ['PASSWORD_FILE', false], ['TOKEN_TTL', false], ['AUTHOR', false], ['BYPASS', false], ['PUBLIC_KEY', false], ['--no-password', false]])(
    'the name %s: %s',
    (name, isSecret) => expect(isSecretName(name)).toBe(isSecret),
  );
});

test.each(['mysql -', 'a=b:', '-a', 'zip ', 'eyJaaaaaaaaaa.', 'password="', '-----BEGIN PRIVATE KEY-----', 'ab:cde@a.', 'aa://b:c', 'a', '\\', 'curl -u ', 'htpasswd -b -b ', 'docker a login ', ' ', 'set -a ', 'x.y-', "'", '{"a', '\n   '])('text made of %j is looked through in time', (piece) => {
  const text = piece.repeat(Math.ceil(16_384 / piece.length));
  redactor.redact(text);
  const before = process.cpuUsage();
  redactor.redact(text);
  const { user, system } = process.cpuUsage(before); // not the clock's: others have the processor, too
  expect((user + system) / 1_000).toBeLessThan(1_000); // one that goes back and forth takes minutes
});

describe('arguments', () => {
  test('of a long command the first 4 KB are kept, with length and hash of the whole', () => {
    const { text, bytes, cut, sha256, count } = recordedText(`PASSWORD=x ${'é '.repeat(1_000_000)}`, redactor);
    expect([bytes, cut, count, sha256.length]).toEqual([3_000_011, true, 1, 64]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4_090);
    expect(recordedText('echo hi', redactor)).toEqual({ text: 'echo hi', bytes: 7, sha256: createHash('sha256').update('echo hi').digest('hex'), count: 0 });
  });

  test('a token that lies across the cut, or across the end of what is looked at, is in no part of the record', () => {
    const token = `ghp_${A(36)}`;
    for (const at of [4_060, 4_080, 4_090, 16_350, 16_370, 16_384]) {
      const { text } = recordedText(`${'x '.repeat(at / 2)}${token} tail`, redactor);
      expect(text).not.toContain('ghp_');
    }
  });

  test('equal texts with different secrets have the same hash: it does not let a short secret be guessed', () => {
    expect(recordedText('mysql -pa1', redactor).sha256).toBe(recordedText('mysql -pb2', redactor).sha256);
    expect(recordedText('ls a', redactor).sha256).not.toBe(recordedText('ls b', redactor).sha256);
  });

  test('arguments that no tool has are secret by their name, too, and may hold secrets in it', () => {
    const { values, redacted } = recordedArguments({ password: 'hunter2', apiToken: { value: 'hunter3' }, '--password=hunter4': 1, 'mysql -phunter5': 'x', [`note${'n'.repeat(200)}`]: 'kept' }, { redactor });
    expect(JSON.stringify(values)).not.toMatch(/hunter/);
    expect(redacted).toBe(4);
    expect(Object.keys(values).map(({ length }) => length).every((length) => length <= 64)).toBe(true);
    expect(Object.values(values)).toContain('kept');
  });

  test('of an environment the sorted names are kept, of what is typed at a secret prompt only the length (R160, T26)', () => {
    const args = { command: 'make', env: { DB_PASSWORD: 'x1y2', A: 'b' }, text: 'hunter2', timeout_ms: 5, raw: true, keys: ['Enter'], until: { pattern: 'TOKEN=abc' } };
    const { values, redacted } = recordedArguments(args, { redactor, isSecret: true });
    expect(values).toMatchObject({ command: { text: 'make', bytes: 4 }, env: ['A', 'DB_PASSWORD'], text: { bytes: 7 }, timeout_ms: 5, raw: true, keys: { bytes: 9 } });
    expect(redacted).toBe(1);
    for (const secret of ['x1y2', 'hunter2', 'abc']) expect(JSON.stringify(values)).not.toContain(secret);
  });
});
