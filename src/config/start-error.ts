// A mistake of the person who starts the program.

/** Stops the start with one line on standard error and exit status 2. The message is that line. */
export class StartError extends Error {
  constructor(message: string) {
    super(message.replaceAll('\n', ' '));
    this.name = 'StartError';
  }
}
