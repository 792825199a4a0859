import OpenAI, { RateLimitError } from 'openai-7'
import { expect, test } from 'vitest'

import { printed } from '../docs/shells.ts'
import { withoutAdmin } from '../docs/checkout.ts'
import { openExample } from './example.ts'

test('the quota ends the calls of a key for the day, as its README says', async () => {
  await using example = await openExample('plugins/quota', withoutAdmin)
  await example.follow('npm install')
  const ownTests = example.start(example.command('npm test'))
  const [gateway] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])

  const ask = () => example.follow('curl')
  const statusOf = (answer: string) => /^HTTP.1.1 (\d+)/m.exec(answer)?.[1]
  expect(statusOf(await ask())).toBe('200')
  expect(statusOf(await ask())).toBe('200')
  const third = await ask()
  expect(third).toMatch(/^HTTP.1.1 429 [^]*^retry-after: \d+/m)
  expect(third).toContain('This key has no calls left today.')

  const clientOf = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: `${example.url(8787)}/v1`, maxRetries: 0 })
  const fields = { model: 'sandbox/echo', input: 'Hello' }
  const refused = clientOf('trial-secret').responses.create(fields)
  await expect(refused).rejects.toBeInstanceOf(RateLimitError)
  const other = await clientOf('my-secret').responses.create(fields)
  expect(other.output_text).toBe('You said: Hello')
  await printed(gateway, /"plugins":\{"daily-quota":\{"callsToday":4\}\}/)

  gateway.signal('SIGTERM')
  await gateway.ended
  const again = await example.open('npm start', /Listening on/)
  expect(statusOf(await ask())).toBe('429')
  again.signal('SIGTERM')
  await again.ended
  expect(await ownTests.ended, ownTests.output.text).toBe(0)
  expect(example.unused()).toEqual([])
})
