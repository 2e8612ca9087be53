// Programs that agents ask about, and what is there of them.

/** Of bash-mcp's list, with the tools that its users had and a few that most projects need. */
export const WELL_KNOWN: readonly string[] = [
  'rg', 'fd', 'bat', 'eza', 'broot', 'jq', 'sqlite3', 'git', 'gh', 'docker', 'podman', 'kubectl', 'node', 'npm', 'python3', 'uv', 'cargo', 'go', 'java',
  'fnm', 'zoxide', 'starship', 'curl', 'wget', 'ssh', 'scp', 'rsync', 'tar', 'gzip', 'make', 'gcc', 'ffmpeg', 'vim', 'nano', 'htop', 'tree', 'tmux',
  'xargs', 'sed', 'awk', 'grep', 'find', 'trash-put', 'mavis', 'opencode',
];

/** In one call. */
export const MAX_NAMES = 200;

export interface Binary {
  readonly name: string;
  readonly path?: string;
  readonly version?: string;
}

/** What is there first, then by name. */
export function inOrder(binaries: readonly Binary[]): Binary[] {
  const rank = ({ path }: Binary): number => (path === undefined ? 1 : 0);
  return [...binaries].sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
}
