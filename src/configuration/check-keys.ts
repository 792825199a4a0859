import type { z } from 'zod'

import { repeatedIds } from './check-names.ts'
import { checkHash, sameSecret } from './check-secret.ts'
import type { Problem } from '../contract/problems.ts'
import { configSchema } from './schema.ts'
import type { EnvironmentVariables } from './secrets.ts'
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
    const hash = checkHash(value, path, { environment, problems, example: 'TEAM_A_KEY' })
    if (!input || hash === undefined) return []
    const twin = pathsOfHashes.get(hash)
    if (twin) problems.push(sameSecret(path, twin, 'key'))
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
