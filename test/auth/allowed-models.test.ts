import { describe, expect, test } from 'vitest'

import { expectError, words } from '../errors/envelope.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { accountsAt, type Service, startService } from '../requests/service.ts'

const models = ['gpt-small', 'gpt-large', 'secret-model', 'acme/one']

const keys = [
  { id: 'all', secret: 'all' },
  { id: 'some', secret: 'some', models: ['gpt-*', 'acme/one'] },
  { id: 'alias', secret: 'alias', models: ['fast'] },
  { id: 'none', secret: 'none', models: ['no-such-*'] },
]

const aliases = { fast: 'gpt-small', hidden: 'secret-model' }

async function start(): Promise<Service> {
  const service = await startService({ keys })
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, models), aliases })
  return service
}

function ask(service: Service, dialect: DialectName, model: string, secret: string) {
  const path = dialect === 'generate' ? { path: `/v1/models/${model}:generateContent` } : {}
  const credential = { authorization: `Bearer ${secret}` }
  const headers = { ...credential, 'x-api-key': undefined, 'x-goog-api-key': undefined }
  return service.ask(dialect, { model }, { ...path, headers })
}

/** All that a client sees, with the model's name and what differs from request to request removed. */
async function seen(response: Response, dialect: DialectName, model: string) {
  const { request_id: _, ...body } = await expectError(dialect, response, 404, words.notFound)
  const headers = [...response.headers].filter(([name]) => !/^(date|.*request-id)$/.test(name))
  const text = JSON.stringify([body, headers.filter(([name]) => name !== 'content-length')])
  return text.replaceAll(model, 'MODEL')
}

describe.each(dialectNames)('%s', (dialect) => {
  test('a key has the models of its patterns and their aliases', async () => {
    await using service = await start()
    for (const [secret, allowed] of Object.entries({
      all: [...models, 'fast', 'hidden'],
      some: ['gpt-small', 'gpt-large', 'acme/one', 'fast'],
      alias: ['fast'],
    })) {
      for (const model of [...models, 'fast', 'hidden']) {
        const { status } = await ask(service, dialect, model, secret)
        expect({ secret, model, status }).toEqual({
          secret,
          model,
          status: allowed.includes(model) ? 200 : 404,
        })
      }
    }
  })

  test('a model that the key may not use looks like one that does not exist', async () => {
    await using service = await start()
    const unknown = await ask(service, dialect, 'no-model', 'some')
    const wanted = await seen(unknown, dialect, 'no-model')
    for (const model of ['secret-model', 'hidden']) {
      const response = await ask(service, dialect, model, 'some')
      expect(await seen(response, dialect, model)).toBe(wanted)
    }
    expect(service.upstream.requests).toEqual([])
  })
})

test('a list shows what the key may use, and a single look nothing else', async () => {
  await using service = await start()
  const get = (path: string, secret: string) =>
    fetch(service.gateway.url + path, { headers: { authorization: `Bearer ${secret}` } })
  const list = async (secret: string) => {
    const body = (await (await get('/v1/models', secret)).json()) as { data: { id: string }[] }
    return body.data.map(({ id }) => id)
  }
  expect(await list('all')).toEqual([...models, 'fast', 'hidden'].sort())
  expect(await list('some')).toEqual(['acme/one', 'fast', 'gpt-large', 'gpt-small'])
  expect(await list('alias')).toEqual(['fast'])
  expect(await list('none')).toEqual([])
  for (const id of await list('all')) {
    const { status } = await get(`/v1/models/${id}`, 'some')
    expect({ id, status }).toEqual({ id, status: (await list('some')).includes(id) ? 200 : 404 })
  }
  const hidden = await (await get('/v1/models/secret-model', 'some')).text()
  const unknown = await (await get('/v1/models/no-model', 'some')).text()
  expect(hidden.replaceAll('secret-model', 'MODEL')).toBe(unknown.replaceAll('no-model', 'MODEL'))
})
