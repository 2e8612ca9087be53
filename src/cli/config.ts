// `shellkeep config`: the settings in effect, as a configuration file with the origin of each value beside it.
import { camelCase, type Origins } from '../config/load.ts';
import { SETTING_KEYS, TABLES, type SettingKey, type Settings } from '../config/schema.ts';

/** One line a setting; one without a value is a comment. */
export function configText(settings: Settings, origins: Origins): string {
  const values = new Map<string, unknown>(Object.entries(settings));
  const lines = SETTING_KEYS.map((key) => settingLine(key, values.get(camelCase(key)), origins[key]));
  return `${lines.join('\n')}\n`;
}

function settingLine(key: SettingKey, value: unknown, origin: string): string {
  if (TABLES[key] !== undefined && Array.isArray(value) && value.length > 0) return `# ${key}: ${value.length} tables [[${key}]] (${origin})`;
  if (value === undefined) return `# ${key} is not set (${origin})`;
  return `${`${key} = ${JSON.stringify(value)}`.padEnd(40)} # ${origin}`;
}
