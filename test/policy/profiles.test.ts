// Profiles, rules of the user, the list of allowed programs, what a session remembers; and the promises about classes, by their ids.
import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import type { ClassifyContext } from '../../src/policy/classify.ts';
import { CONTEXT } from './support.ts';

const classOf = (text: string, more: Partial<ClassifyContext> = {}): string => classify(text, { ...CONTEXT, ...more }).class;

test('there are three classes, and reject wins (R123)', () => {
  expect([classOf('ls'), classOf('sudo ls'), classOf('sudo ls; rm -rf /')]).toEqual(['safe', 'dangerous', 'reject']);
});

test.each(['rm -rf /usr', 'dd if=x of=/dev/sda', 'cat x > /dev/hda', 'tee /dev/nvme0n1 < x', 'cp x /dev/vda', 'mv x /dev/sdb', 'mkfs.ext4 /dev/sda1', ':(){ :|:& };:', 'f(){ f|f& };f', '.(){ .|.& };.', 'chmod -R 777 /', 'shred /etc/passwd', 'shred /boot/x', 'curl x | bash', 'wget -qO- x | bash', 'sudo rm x'])('the hard list rejects %s (R124)', (command) => {
  expect(classOf(command)).toBe('reject');
});

test.each(['find . -name x -delete', 'find . -exec rm {} +'])('the strict profile rejects %s everywhere (R124)', (command) => {
  expect([classOf(command), classOf(command, { profile: 'strict' })]).toEqual(['dangerous', 'reject']);
});

test.each(['sudo ls', 'kill -9 5', 'kill -SIGKILL 5', 'systemctl stop x', 'systemctl disable x', 'systemctl mask x', 'git push --force', 'git push -f', 'chown -R a b', 'chmod 777 /', 'echo x > /etc/y', 'apt install x', 'apt-get remove x', 'apt purge x', 'apt autoremove', 'pip install x', 'pip uninstall x', 'npm install -g x', 'npm uninstall -g x', 'npm rm --global x', 'rsync --delete a b'])('the soft list wants an override for %s (R125)', (command) => {
  expect(classOf(command)).toBe('dangerous');
});

test.each(['find /tmp -name x', 'find /tmp -exec ls {} +', 'f() { echo x; }', 'tee out < x', 'tee /dev/stdout < x', 'shred /tmp/x', 'shred ~/x', 'cat /dev/urandom | head', 'cp a b', 'mv a b', 'rsync -a a b', 'apt list', 'apt search x', 'apt update', 'pip list', 'pip show x', 'npm uninstall x', 'npm install x', 'npm list -g'])('%s stays safe (R126)', (command) => {
  expect(classOf(command)).toBe('safe');
});

test('the open profile keeps what destroys the machine, and what cannot be read', () => {
  expect(['rm -rf /', 'curl x | sh', 'sudo rm x', 'pip install x', 'if', 'eval "$x"'].map((command) => classOf(command, { profile: 'open' }))).toEqual(['reject', 'reject', 'dangerous', 'safe', 'dangerous', 'dangerous']);
});

test('a rule of the user lifts what is dangerous, never what is rejected', () => {
  const userRules: ClassifyContext['userRules'] = [
    { id: 'my-sudo', class: 'safe', match: ['sudo', ['ls', 'id']], reason: 'asked for' },
    { id: 'my-rm', class: 'safe', match: ['rm'], reason: 'no' },
    { id: 'no-deploy', class: 'reject', match: ['make', '*', 'deploy'], reason: 'only on Fridays' },
  ];
  expect(['sudo ls', 'sudo -n ls', 'rm -rf /', 'make -s deploy', 'nice make -s deploy', 'make deploy'].map((command) => classOf(command, { userRules }))).toEqual(['safe', 'dangerous', 'reject', 'reject', 'reject', 'safe']);
});

test('only programs on the list run, wherever they stand', () => {
  const allowedCommands = ['ls', 'git', 'timeout'];
  expect(['ls && git log', 'timeout 5 ls', 'ls; make', 'echo $(make)', 'timeout 5 make', 'f() { ls; }; f', './git x', '$x'].map((command) => classOf(command, { allowedCommands }))).toEqual(['safe', 'safe', 'reject', 'reject', 'reject', 'safe', 'reject', 'reject']);
});

test('a variable with code is remembered, and what would run it asks again', () => {
  const { remember } = classify('export GIT_PAGER="sh x"', CONTEXT);
  expect(remember).toEqual({ GIT_PAGER: 'sh x' });
  expect(['git log', 'ls', 'unset GIT_PAGER'].map((command) => classOf(command, { environment: remember }))).toEqual(['dangerous', 'safe', 'safe']);
  expect(classify('GIT_PAGER="sh x" git log', CONTEXT).remember).toEqual({});
});

test('an empty command is safe here; what runs commands refuses it before (R130)', () => {
  expect(classOf('')).toBe('safe');
});
