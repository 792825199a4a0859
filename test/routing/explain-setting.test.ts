import { expect, test } from 'vitest'

import { resolveSettings } from '../../src/configuration/resolve.ts'
import { form } from '../walks/streams/forms.ts'
import { startPair } from './pair.ts'

test('a key is told how its calls are routed where its configuration says so', async () => {
  const keys = [
    { id: 'operator', secret: 'secret-of-operator', explain: true },
    { id: 'team', secret: 'secret-of-team' },
  ]
  await using pair = await startPair(form.chat, { keys })
  const headers = { 'x-dragoman-explain': '1' }

  const told = await pair.ask({ key: 'secret-of-operator', headers })
  const untold = await pair.ask({ key: 'secret-of-team', headers })

  expect(told).toMatchObject({ status: 200, route: { rule: 'priority and weight' } })
  expect(untold.status).toBe(200)
  expect(untold.headers.has('x-dragoman-route')).toBe(false)
})

test('a setting that is neither true nor false is named with its place', () => {
  const keys = [{ id: 'operator', secret: 'secret-of-operator', explain: 'yes' }]

  expect(() => resolveSettings({ keys }, { env: {} })).toThrow(/keys\[0\]\.explain/)
})
