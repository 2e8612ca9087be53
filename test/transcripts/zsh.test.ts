// The transcripts in zsh.
import { defineTranscripts } from './run.ts';

defineTranscripts('zsh');
