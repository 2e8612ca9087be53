// Commands for tests of what lies below the policy: let through as they are.
import type { ApprovedCommand } from '../../src/policy/gate.ts';

export function approve(text: string): ApprovedCommand {
  return { text, classification: { class: 'safe' }, remember: {}, isOverridden: false, readers: [] } as unknown as ApprovedCommand;
}
