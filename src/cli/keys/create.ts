import { randomBytes } from 'node:crypto'

import { createKey, type NewKey } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import { UsageError } from '../command.ts'
import { useStore } from '../use-store.ts'
import { showIssued } from './describe.ts'
import { parseExpiry } from './expiry.ts'
import { givenId } from './key-id.ts'
import { assertChangeable, readForKeys } from './key-store.ts'
import { parseLosses } from './losses.ts'

/** `dragoman keys create`: the secret goes to stdout, and nowhere else. */
export async function run(invocation: Invocation): Promise<number> {
  const key = wantedKey(invocation)
  const configured = await readForKeys(invocation)
  assertChangeable(configured, key.id)
  showIssued(await useStore(configured, (store) => createKey(store, key)), invocation, 'issued')
  return 0
}

function wantedKey(invocation: Invocation): NewKey {
  const { models, expires, explain, losses } = invocation.options
  return {
    id: givenId(invocation) ?? `key-${randomBytes(4).toString('hex')}`,
    ...(models !== undefined && { models: parseModels(models) }),
    ...(expires !== undefined && { expiresAt: parseExpiry(expires, Date.now()) }),
    ...(explain !== undefined && { explain: true }),
    ...(losses !== undefined && { losses: parseLosses(losses) }),
  }
}

function parseModels(text: string): string[] {
  const models = text.split(',').map((name) => name.trim())
  if (models.every((name) => name !== '')) return models
  throw new UsageError(`--models takes names and patterns between commas, but got "${text}".`)
}
