import type { z } from 'zod'

import { hashSecret } from '../stores/key-secret.ts'
import { repeatedIds } from './check-names.ts'
import type { Problem } from '../contract/problems.ts'
import { configSchema } from './schema.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import type { KeySetting } from './settings.ts'
import { checkShape } from './shape.ts'

const keySchema = configSchema.shape.keys.unwrap().element
type KeyInput = z.output<typeof keySchema>

/** Returns the valid keys and adds the problems of the others to `problems`. */
export function checkKeys(
  list: readonly unknown[],
  environment: EnvironmentVariables,
  problems: Problem[],
): KeySetting[] {
  const pathsOfHashes = new Map<string, string>()
  problems.push(...repeatedIds('keys', list))
  return list.flatMap((value, index) => {
    const path = `keys[${index}]`
    const input = checkShape(keySchema, value, path, problems)
    const hash = checkHash(value, path, environment, problems)
    if (!input || hash === undefined) return []
    const twin = pathsOfHashes.get(hash)
    if (twin) problems.push(sameSecret(path, twin))
    pathsOfHashes.set(hash, path)
    return [toSetting(input, hash)]
  })
}

function toSetting(
  { id, models, expiresAt, disabled = false, explain, losses }: KeyInput,
  hash: string,
): KeySetting {
  return {
    id,
    hash,
    ...(models && { models }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).getTime() }),
    disabled,
    ...(explain !== undefined && { explain }),
    ...(losses && { losses }),
  }
}

// Independent of the key's other fields, so that one run reports every problem.
function checkHash(
  key: unknown,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  const { secret, hash } = (key ?? {}) as { secret?: unknown; hash?: unknown }
  if (typeof key === 'object' && (secret === undefined) === (hash === undefined)) {
    problems.push(oneOfTwo(path, secret !== undefined))
    return undefined
  }
  if (typeof hash === 'string') return hash.toLowerCase()
  if (typeof secret !== 'string' || secret === '') return undefined
  const resolved = resolveSecret(secret, `${path}.secret`, environment, problems)
  return resolved && hashSecret(resolved)
}

function oneOfTwo(path: string, both: boolean): Problem {
  return {
    path,
    message: both ? 'has both secret and hash' : 'has neither secret nor hash',
    fix: 'give one of the two, for example secret: "env:TEAM_A_KEY"',
  }
}

function sameSecret(path: string, twin: string): Problem {
  return {
    path,
    message: `has the same secret as ${twin}, so the gateway cannot distinguish the two`,
    fix: 'give each key its own secret',
  }
}
