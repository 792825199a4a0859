import type { z } from 'zod'

import { repeatedIds } from './check-names.ts'
import { checkHash, sameSecret } from './check-secret.ts'
import { defined } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'
import { keySchema } from './key-schema.ts'
import type { EnvironmentVariables } from './secrets.ts'
import type { KeySetting } from './settings.ts'
import { checkShape } from './shape.ts'

type KeyInput = z.output<typeof keySchema>

/** Returns the valid keys and adds the problems of the others to `problems`. */
export function checkKeys(
  list: readonly unknown[],
  env: EnvironmentVariables,
  problems: Problem[],
): KeySetting[] {
  const pathsOfHashes = new Map<string, string>()
  problems.push(...repeatedIds('keys', list))
  return list.flatMap((value, index) => {
    const path = `keys[${index}]`
    const input = checkShape(keySchema, value, path, problems)
    const hash = checkHash(value, path, { env, problems, example: 'TEAM_A_KEY' })
    if (!input || hash === undefined) return []
    const twin = pathsOfHashes.get(hash)
    if (twin) problems.push(sameSecret(path, twin, 'key'))
    pathsOfHashes.set(hash, path)
    return [keySetting(input, hash)]
  })
}

function keySetting(
  { id, models, expiresAt, disabled, explain, losses }: KeyInput,
  hash: string,
): KeySetting {
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt).getTime()
  return { id, hash, disabled, explain, ...defined({ models, losses, expiresAt: expiry }) }
}
