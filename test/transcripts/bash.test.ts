// The transcripts in bash.
import { defineTranscripts } from './run.ts';

defineTranscripts('bash');
