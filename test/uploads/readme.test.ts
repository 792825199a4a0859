import { expect, test } from 'vitest'

import { errorTable } from '../../src/contract/errors.ts'
import { urlLifetimeMs } from '../../src/storage/settings.ts'
import { openCheckout, printed } from '../readme/checkout.ts'
import { blocks, readmeText, shownAddress } from '../readme/readme.ts'

function example(mark: string): string {
  const found = blocks('ts').find((code) => code.includes(mark))
  if (found === undefined) throw new Error(`The README shows no ${mark}.`)
  return found
}

const upload = example('/files/upload_url')

test.each(['npm start', 'npm start -- --workers 2'])(
  'a newcomer uploads a file as the README shows, to a gateway of %s',
  async (command) => {
    await using checkout = await openCheckout()
    await checkout.write('README.md', readmeText)
    const server = checkout.start(command)
    const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
    const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
    const code = upload.replace("from 'openai'", "from 'openai-7'").replaceAll(shownAddress, url)
    await checkout.write('upload.ts', code)
    const output = await checkout.run('node_modules/.bin/node upload.ts', { DRAGOMAN_KEY: key })
    const [, status, path, visitUrl = ''] = /^(\d+) (\S+) (\S+)$/m.exec(output) ?? []
    expect([status, path]).toEqual(['201', expect.stringMatching(/^local:.*\/notes\/README\.md$/)])
    expect(await (await fetch(visitUrl)).text()).toBe(readmeText)
  },
)

/** What a gateway that was started so answers to a request for a URL. */
async function askServer(command: string) {
  await using checkout = await openCheckout()
  const server = checkout.start(command)
  const [, port = ''] = await printed(server, /Listening on http:\/\/[^ ]*:(\d+) \(API\)/)
  const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
  const response = await fetch(`http://127.0.0.1:${port}/v1/files/upload_url`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ path: 'a' }),
  })
  return { status: response.status, text: await response.text() }
}

test('a gateway for other machines has to be told its address', async () => {
  const unknown = await askServer('npm start -- --host 0.0.0.0')
  expect(unknown.status).toBe(500)
  expect(unknown.text).toContain('publicUrl')
  const known = await askServer('npm start -- --host 0.0.0.0 --public-url https://llm.example.com')
  expect(known.status).toBe(200)
  expect(known.text).toContain('https://llm.example.com/v1/files/')
})

test('the configuration of the README is in order', async () => {
  await using checkout = await openCheckout()
  const config = example('storages: {')
  const names = [...config.matchAll(/env:(\w+)/g)].map(([, name = '']) => [name, 'a-secret'])
  expect(names).toHaveLength(4)
  await checkout.write('dragoman.config.ts', config)
  const report = await checkout.run('npm start -- check', Object.fromEntries(names))
  expect(report).toMatch(/uploads\.create +\/v1\/files\/upload_url/)
  expect(report).toContain('No problems')
  expect(report).not.toContain('a-secret')
})

test('the statuses that the README names are those of the errors', () => {
  const [, section = ''] = /^## Uploads\n([^]*?)^## /m.exec(readmeText) ?? []
  const codes = ['url_expired', 'not_found', 'already_exists', 'request_too_large'] as const
  for (const code of [
    ...codes,
    'unsupported_media_type',
    'storage_full',
    'misconfigured',
  ] as const) {
    expect(section).toContain(String(errorTable[code].status))
  }
  expect(section).toContain(`${urlLifetimeMs / 60_000} minutes`)
})
