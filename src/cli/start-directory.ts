// Where this process was started.

/** The directory may have been removed under us. */
export function startDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
