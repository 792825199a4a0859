import { expect, test } from 'vitest'

import type { LossPolicy } from '../../../src/generate/unsupported.ts'
import { createKey } from '../../../src/stores/keys.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'

const foreign = { foreign: { form: form.messages } }
const lossy = { stream: false, fields: { seed: 7 } }

const key = (id: string, losses?: LossPolicy) => ({
  id,
  secret: `secret-of-${id}`,
  ...(losses && { losses }),
})

test.each<{ configured: LossPolicy; own: LossPolicy; status: number; others: number }>([
  { configured: 'drop', own: 'reject', status: 400, others: 200 },
  { configured: 'drop', own: 'native', status: 400, others: 200 },
  { configured: 'reject', own: 'drop', status: 200, others: 400 },
])(
  'a key with "$own" has its way where the configuration says "$configured"',
  async ({ configured, own, status, others }) => {
    await using mixed = await startMixed(foreign, {
      losses: configured,
      keys: [key('special', own), key('plain')],
    })
    const { url } = mixed.gateway

    const special = await ask({ url, key: 'secret-of-special' }, form.chat, lossy)
    const plain = await ask({ url, key: 'secret-of-plain' }, form.chat, lossy)

    expect([special.status, plain.status]).toEqual([status, others])
    expect(mixed.accounts.foreign.requests).toHaveLength(1)
  },
)

test('a key of the store has its policy as well', async () => {
  const store = openMemoryStore()
  const careful = await createKey(store, { id: 'careful', losses: 'reject' })
  await using mixed = await startMixed(foreign, { store, keys: [] })

  const response = await ask({ url: mixed.gateway.url, key: careful.secret }, form.chat, lossy)

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param: 'seed' } })
})
