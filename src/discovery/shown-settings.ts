// The settings in effect as they may be shown to an agent: with their origin, without anything secret.
import type { Redactor } from '../audit/redact.ts';
import { camelCase, type Origins } from '../config/load.ts';
import { SETTING_KEYS, type SettingKey, type Settings } from '../config/schema.ts';

export interface ShownSetting {
  readonly key: SettingKey;
  /** As in the configuration file; undefined when it is not set. */
  readonly value: unknown;
  /** The flag, the variable or the file that it comes from; "default". */
  readonly origin: string;
}

/** In the order of their table. */
export function shownSettings(settings: Settings, origins: Origins, redactor: Redactor): ShownSetting[] {
  const values = new Map<string, unknown>(Object.entries(settings));
  return SETTING_KEYS.map((key) => ({ key, value: shown(key, values.get(camelCase(key)), redactor), origin: origins[key] }));
}

/** A pattern for secrets may hold one, and rules are tables of their own: both are counted. */
function shown(key: SettingKey, value: unknown, redactor: Redactor): unknown {
  if (!Array.isArray(value)) return typeof value === 'string' ? redactor.redact(value).text : value;
  if ((key === 'redact' || key === 'rule') && value.length > 0) return `${value.length} (not shown)`;
  return value.map((part) => (typeof part === 'string' ? redactor.redact(part).text : part));
}
