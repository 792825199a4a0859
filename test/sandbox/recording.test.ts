import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { greet, post, readAll } from './requests.ts'

test('requests are remembered as they came', async () => {
  await using sandbox = await startSandbox()
  const request = greet('chat-completions', 'm')
  await readAll(await post(sandbox, request, { headers: { 'X-Custom': 'yes' } }))

  const [record] = sandbox.requests
  expect(record).toMatchObject({ account: 'a', method: 'POST', url: '/v1/chat/completions' })
  expect(JSON.parse(String(record?.body))).toEqual(request.body)
  expect(record?.headers['x-custom']).toBe('yes')
  expect(record?.rawHeaders).toContain('yes')
  await vi.waitFor(() => expect(record?.finished).toBe('complete'))
})

test('refused requests are remembered too, and large bodies in part', async () => {
  await using sandbox = await startSandbox()
  const input = 'x'.repeat(2_000_000)
  const headers = { authorization: 'Bearer wrong' }
  await readAll(await post(sandbox, greet('responses', 'm'), { headers, body: { input } }))
  expect(sandbox.requests[0]?.account).toBeUndefined()
  expect(sandbox.requests[0]?.body).toHaveLength(1024 * 1024)
})

test('a connection dropped on purpose counts as complete', async () => {
  await using sandbox = await startSandbox()
  await readAll(await post(sandbox, greet('messages', 'sandbox/cut=2', true)))
  await vi.waitFor(() => expect(sandbox.requests[0]?.finished).toBe('complete'))
  await expect(post(sandbox, greet('messages', 'sandbox/reset'))).rejects.toThrow()
  await vi.waitFor(() => expect(sandbox.requests[1]?.finished).toBe('complete'))
})

test('only the last thousand are kept', async () => {
  await using sandbox = await startSandbox()
  for (let batch = 0; batch < 11; batch++)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => fetch(`${sandbox.url}/healthz?${batch}-${index}`)),
    )
  expect(sandbox.requests).toHaveLength(1000)
})

test('a sandbox closes at once, whatever is still open', async () => {
  const sandbox = await startSandbox()
  const response = await post(sandbox, greet('messages', 'sandbox/stall=1', true))
  await sandbox.close()
  expect((await readAll(response)).clean).toBe(false)
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

test('a port that is taken is refused', async () => {
  await using sandbox = await startSandbox()
  await expect(startSandbox({ port: sandbox.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
