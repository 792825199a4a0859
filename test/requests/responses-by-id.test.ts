import { describe, expect, test } from 'vitest'

import { at, bodiless, withBody } from '../walks/chaining/by-id-calls.ts'
import { exactly, startOwner } from '../walks/chaining/owner.ts'

describe('a call by id reaches its account as it was made', () => {
  test.each(bodiless)('%s %s', async (method, path) => {
    await using owner = await startOwner()
    const query = 'include%5B%5D=a&after=x%20y&limit=2'

    const response = await owner.ask(method, `${at(path, 'x1')}?${query}`)

    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 200,
      body: exactly,
    })
    expect(owner.requests).toHaveLength(1)
    const [request] = owner.requests
    expect(request).toMatchObject({ method, url: `${at(path, 'x1')}?${query}` })
    expect(request?.body).toHaveLength(0)
    expect(request?.headers).not.toHaveProperty('content-type')
    expect(request?.headers).not.toHaveProperty('transfer-encoding')
    expect(Number(request?.headers['content-length'] ?? 0)).toBe(0)
  })

  test.each(withBody)('%s %s', async (method, path, body) => {
    await using owner = await startOwner()

    const response = await owner.ask(method, at(path, 'x1'), body)

    expect(response.status).toBe(200)
    const [request] = owner.requests
    expect(request).toMatchObject({ method, url: at(path, 'x1') })
    expect(request?.headers['content-type']).toBe('application/json')
    expect(request?.body.toString()).toBe(body)
  })

  const calls = [...bodiless, ...withBody].map(([method, path, body]) => ({ method, path, body }))

  test.each(calls)('$method $path, whatever is in the id', async ({ method, path, body }) => {
    const id = 'a b.ü&+,"=~'
    await using owner = await startOwner({ id })
    const encoded = at(path, encodeURIComponent(id))

    expect((await owner.ask(method, encoded, body)).status).toBe(200)

    expect(owner.requests.map(({ url }) => url)).toEqual([encoded])
  })
})
