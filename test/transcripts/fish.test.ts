// The transcripts in fish.
import { defineTranscripts } from './run.ts';

defineTranscripts('fish');
