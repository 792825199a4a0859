import { expect, test } from 'vitest'

import { openCheckout, printed } from './checkout.ts'
import { blocks, commands, shownAddress } from './readme.ts'

test('a newcomer sees translation, and then an open circuit, as the README shows', async () => {
  await using checkout = await openCheckout()
  const [start = ''] = commands('npm start -- sandbox')
  const sandbox = checkout.start(start.replace('8790', '0'))
  const [, sandboxUrl = ''] = await printed(sandbox, /listens on (http:[^\s;]+)/)
  const config = blocks('ts').find((code) => code.includes("speaks: ['chat']")) ?? ''
  expect(config).toContain('http://127.0.0.1:8790')
  await checkout.write(
    'dragoman.config.ts',
    config.replace('http://127.0.0.1:8790', sandboxUrl.replace(/\/$/, '')),
  )
  const server = checkout.start('npm start')
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  const [, operators = ''] = await printed(server, /and (http:\S+) \(admin\)/)
  const curl = commands('curl').find((code) => code.includes('x-dragoman-explain')) ?? ''
  const paste = (model = 'sandbox/echo') =>
    checkout.run(curl.replace(shownAddress, url).replace('sandbox/echo', model))

  const answer = await paste()
  expect(answer).toContain('"account_dialect":"chat"')
  expect(answer).toContain('"type":"message"')
  expect(answer).toContain('You said: Hello')
  await printed(server, /"dialect":"messages","account_dialect":"chat"/)

  for (let failure = 0; failure < 5; failure++) {
    expect(await paste('sandbox/status=500')).toContain('HTTP/1.1 500')
  }
  expect(await paste()).toMatch(/HTTP\/1\.1 529[^]*retry-after: \d/)
  await printed(server, /circuit opened/)
  const ready = await fetch(`${operators}/readyz?verbose`)
  expect(await ready.text()).toMatch(/"account":"only-chat","family":"chat","state":"open"/)
})
