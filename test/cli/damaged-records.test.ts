import { expect, test } from 'vitest'

import { createKey } from '../../src/stores/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { openPlace } from './dragoman.ts'

test('damaged records of the store break no command, and steer no terminal', async () => {
  await using place = await openPlace()
  const account = { provider: 'openai', apiKey: 'hush', models: ['*'] }
  const accounts = ['a', 'b'].map((id) => ({ id, ...account }))
  await place.write('dragoman.config.json', JSON.stringify({ accounts, keys: [] }))
  const store = await openStore('file:.dragoman', { cwd: place.path })
  const { key } = await createKey(store, { id: 'good' })
  const records = store.records('keys', { listed: true })
  await records.set('far', { ...key, id: 'far', expiresAt: 1e300 })
  await records.set('odd', { ...key, id: 'odd', createdAt: 'x', rotatedAt: -1e300 })
  await records.set('\u001b[2J\u202e', { ...key, id: '\u001b[2J\u202e' })
  const states = store.records('account-states', { listed: true })
  await states.set('a', { enabled: false, changedAt: 1e300 })
  await states.set('b', { enabled: true, changedAt: 'x' })
  await store.records('admin-tokens', { listed: true }).set('\u001b]0;x\u0007', { hash: 1 })
  await store.close()
  const shown: Record<string, string> = {}
  for (const words of ['keys list', 'accounts list', 'admin-tokens list', 'check']) {
    const { stdout, stderr } = await place.call(words)
    expect([words, stderr.includes('Invalid time value')]).toEqual([words, false])
    expect([words, /(?!\n)[\p{Cc}\p{Cf}]/u.test(stdout + stderr)]).toEqual([words, false])
    shown[words] = stdout
  }
  expect(shown['keys list']).toMatch(/^far +unreadable[^]*^good +active[^]*^odd +unreadable/m)
  expect(shown['accounts list']).toMatch(/^a +openai +disabled[^]*^b +openai +enabled/m)
})
