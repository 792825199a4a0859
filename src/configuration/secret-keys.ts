import type { Problem } from '../contract/problems.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'

/** The variable with the keys that seal the secrets of the store, the newest first. */
const secretKeyVariable = 'DRAGOMAN_SECRET_KEY'

/** The shortest text of a key, in characters. */
const shortest = 32
/** More keys than any rotation needs. */
const most = 16

/**
 * The texts of the keys in `DRAGOMAN_SECRET_KEY`: one or more, separated by commas, the newest first.
 * Adds problems to `problems`; none repeats a key.
 */
export function readSecretKeys(
  environment: EnvironmentVariables,
  problems: Problem[],
): readonly string[] {
  const setting = environment[secretKeyVariable]
  if (!setting) return []
  const list = resolveSecret(setting, secretKeyVariable, environment, problems)
  const keys = list?.split(',') ?? []
  const fix = 'use `openssl rand -base64 32` for each key, with commas between several'
  const short = keys.findIndex((key) => key.length < shortest)
  const message =
    short >= 0
      ? `key ${short + 1} of ${keys.length} has fewer than ${shortest} characters`
      : `has more than ${most} keys`
  if (short < 0 && keys.length <= most) return keys
  problems.push({ path: secretKeyVariable, message, fix })
  return []
}
