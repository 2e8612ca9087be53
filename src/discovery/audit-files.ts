// The files of the audit log, counted: of all servers of this user together.
import * as nodeFs from 'node:fs';
import { listSegments } from '../audit/directory.ts';

export interface AuditFiles {
  readonly files: number;
  /** Closed ones, which are kept up to the setting audit_backups. */
  readonly closed: number;
  readonly sizeBytes: number;
}

export function auditFiles(directory: string): AuditFiles {
  const segments = listSegments(nodeFs, directory);
  const sizes = segments.map(({ path }) => nodeFs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return { files: segments.length, closed: segments.filter(({ isClosed }) => isClosed).length, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}
