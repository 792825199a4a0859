import { expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'

const keys = [{ id: 'operator', secret: 'secret-of-operator', explain: true }]
const curious = { 'x-dragoman-explain': '1' }

const routeOf = (response: Response) =>
  JSON.parse(response.headers.get('x-dragoman-route') ?? 'null') as Record<string, unknown> | null

test('an operator finds in the log that a call was translated, and what was left out', async () => {
  await using mixed = await startMixed({ foreign: { form: form.messages } })

  await ask(mixed.gateway, form.chat, { stream: false, fields: { seed: 7, verbosity: 'low' } })

  const [line] = await mixed.gateway.logged(1)
  expect(line).toMatchObject({
    dialect: 'chat',
    account_dialect: 'messages',
    account: 'foreign',
    status: 200,
  })
  expect(new Set(line?.['losses'] as string[])).toEqual(new Set(['seed', 'verbosity']))
  expect(JSON.stringify(line)).not.toContain('key-of-foreign')
})

test('of a call on an account of its own dialect the log says neither', async () => {
  await using mixed = await startMixed({ own: { form: form.chat } })

  await ask(mixed.gateway, form.chat, { stream: false, fields: { seed: 7 } })

  const [line] = await mixed.gateway.logged(1)
  expect(line).not.toHaveProperty('account_dialect')
  expect(line).not.toHaveProperty('losses')
})

test('a client that may know is told what its account speaks', async () => {
  await using mixed = await startMixed({ foreign: { form: form.generate } }, { keys })
  const { url } = mixed.gateway

  const response = await ask({ url, key: 'secret-of-operator' }, form.messages, {
    stream: false,
    headers: curious,
  })

  expect(response.status).toBe(200)
  expect(routeOf(response)).toMatchObject({
    account: 'foreign',
    account_dialect: 'generate',
    attempts: 1,
    excluded: [],
  })
})

test('a client that may know is told which accounts could not be asked, and for what', async () => {
  await using mixed = await startMixed(
    {
      lossy: { form: form.messages },
      able: { form: form.generate, settings: { priority: 1 } },
    },
    { keys, losses: 'native' },
  )
  const { url } = mixed.gateway

  const asked = { stream: false, headers: curious, fields: { seed: 7 } }
  const response = await ask({ url, key: 'secret-of-operator' }, form.chat, asked)

  expect(response.status).toBe(200)
  expect(routeOf(response)).toMatchObject({
    account: 'able',
    attempts: 1,
    excluded: [
      {
        account: 'lossy',
        by: 'translation',
        field: 'seed',
        reason: expect.stringContaining('`seed`'),
      },
    ],
  })
  expect((await mixed.gateway.logged(1))[0]).toMatchObject({
    excluded: [{ account: 'lossy', by: 'translation' }],
  })
})

test('a client whose call nobody could be asked for is told so, and of no account', async () => {
  await using mixed = await startMixed({ foreign: { form: form.messages } }, { keys })
  const { url } = mixed.gateway

  const asked = { headers: curious, fields: { n: 2 } }
  const response = await ask({ url, key: 'secret-of-operator' }, form.chat, asked)

  expect(response.status).toBe(400)
  expect(routeOf(response)).toMatchObject({
    account: null,
    attempts: 0,
    excluded: [{ account: 'foreign', by: 'translation', field: 'n' }],
  })
  expect(routeOf(response)).not.toHaveProperty('account_dialect')
})

test('the account that failed is named, though another one could not be asked after it', async () => {
  await using mixed = await startMixed(
    {
      first: {
        form: form.generate,
        script: (response) => void response.writeHead(500).end(),
      },
      lossy: { form: form.messages, settings: { priority: 1 } },
    },
    { losses: 'native' },
  )

  const response = await ask(mixed.gateway, form.chat, { fields: { seed: 7 } })

  expect(response.status).toBe(500)
  expect(response.headers.get('x-dragoman-account')).toBe('first')
  expect((await mixed.gateway.logged(1))[0]).toMatchObject({ account: 'first', attempts: 1 })
})
