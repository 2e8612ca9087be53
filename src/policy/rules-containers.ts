// Rules about containers that get hold of the machine they run on.
import type { SimpleCommand } from '../syntax/command.ts';
import { CONTAINER, containerArguments } from '../syntax/inner-elsewhere.ts';
import { optionValues, parseArguments } from '../syntax/options.ts';
import { deletionPlace } from './paths.ts';
import type { Rule, View } from './rule.ts';
import { writePlace } from './write-places.ts';

export const CONTAINER_RULES: readonly Rule[] = [
  {
    id: 'container-host', class: 'dangerous', reason: 'gives a container the files, devices or processes of the machine: mount only the directory it needs',
    programs: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose'], match: (command, view) => reachesHost(command, view),
    examples: ['docker run -v /:/host alpine ls', 'docker run --privileged x', 'podman run -v/etc:/etc x', 'docker run --mount type=bind,source=/,target=/h x', 'docker run --pid=host x', 'docker run -v /var/run/docker.sock:/var/run/docker.sock x', 'docker run -v "$HOME":/h x', 'docker run --device /dev/sda x', 'docker create --volume /root:/h x'],
    notExamples: ['docker run --rm -v "$PWD":/app node npm test', 'docker run -v data:/var/lib/mysql mysql', 'docker run -v /etc/localtime:/etc/localtime:ro x', 'docker run --mount type=volume,src=v,dst=/d x', 'docker run -v ./data:/data x', 'docker exec app ls /', 'docker run -v "$d:/data" x', 'docker run --network host x', 'docker ps'],
  },
];

const SOCKET = /\/(?:docker|podman|containerd|crio)\.sock$/;
const FLAGS = /^--(?:privileged(?:=true)?|(?:pid|ipc|uts|userns|cgroupns)=host|cap-add=(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|CAP_SYS_ADMIN)|security-opt=(?:apparmor|seccomp|label)[=:](?:unconfined|disable))$/i;

function reachesHost(command: SimpleCommand, view: View): boolean {
  const args = containerArguments(command.args);
  if (args === undefined) return false;
  const parsed = parseArguments(args, CONTAINER);
  const own = args.slice(0, parsed.firstOperand);
  if (own.some((arg, index) => FLAGS.test(arg) || FLAGS.test(`${arg}=${own[index + 1] ?? ''}`))) return true;
  const devices = optionValues(parsed, '', 'device').map((value) => value.split(':')[0] ?? '');
  if (devices.some((path) => writePlace(path, command.directories, view) === 'device')) return true;
  return mountsOf(optionValues(parsed, 'v', 'volume'), optionValues(parsed, '', 'mount')).some((path) => isHost(path, command, view));
}

/** The directories of this machine that a container may write to; what has no slash is the name of a volume. */
function mountsOf(volumes: readonly string[], mounts: readonly string[]): readonly string[] {
  const bound = volumes.map((value) => value.split(':')).filter((parts) => parts.length > 1 && !/(?:^|,)ro(?:,|$)/.test(parts[2] ?? '')).map(([source = '']) => source);
  const named = mounts.filter((value) => !/(?:^|,)(?:readonly|ro)(?:,|=true|$)|type=(?:volume|tmpfs)/.test(value)).map((value) => /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? '');
  return [...bound, ...named].filter((source) => /^[~./]/.test(source));
}

function isHost(path: string, command: SimpleCommand, view: View): boolean {
  if (SOCKET.test(path)) return true;
  const place = deletionPlace(path, command.directories, view);
  return place === 'protected' || ['system', 'startup', 'device'].includes(writePlace(path, command.directories, view));
}
