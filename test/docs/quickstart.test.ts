import { expect, test } from 'vitest'

import { firstKey, openCheckout, serving } from './checkout.ts'
import { addressed, openPage } from './pages.ts'
import { printed } from './shells.ts'
import { curlExamples, start, pasted } from './pasted.ts'

test('a newcomer starts the gateway and pastes every curl, of the page and of the screen', async () => {
  await using checkout = await openCheckout()
  const server = checkout.start(start)
  const { clients, admin } = await serving(server)
  const key = await firstKey(server)
  await printed(server, /# Uploads[^]*\n\n/)
  // Off a terminal the token is not on the screen, but the command that creates one.
  const [, create = ''] = await printed(server, /No admin token is valid.* with `(.*)`/)
  const isChained = (command: string) => command.includes('$RESPONSE_ID')
  const chained = addressed(curlExamples.find(isChained) ?? '', { clients })
  const fromPage = curlExamples
    .filter((command) => !isChained(command))
    .map((command) => addressed(command, { clients }))
  const fromScreen = [...server.output.text.matchAll(/^curl[^]*?[^\\]$/gm)].map(([text]) => text)
  expect([fromPage.length, fromScreen.length]).toEqual([8, 12])
  const paste = (command: string, env = {}) =>
    checkout.run(command.replace(/^curl/, 'curl -sS --fail-with-body'), {
      DRAGOMAN_KEY: key,
      ...env,
    })
  const [token = ''] = /dga_\S+/.exec(await checkout.run(create)) ?? []
  const readiness = `curl '${admin}/readyz?verbose' -H 'authorization: Bearer ${token}'`
  expect(await paste(readiness)).toContain('"accounts"')
  const [image, video, operation, upload] = fromScreen.splice(8)
  expect(await paste(image ?? '')).toContain('"b64_json"')
  expect(await paste(video ?? '')).toContain('"object":"video"')
  expect(await paste(operation ?? '')).toContain('/operations/')
  expect(await paste(upload ?? '')).toContain('"upload_url"')
  for (const command of [...fromPage, ...fromScreen]) {
    const answer = await paste(command)
    expect(answer, command).toContain('Hello')
    expect(answer.includes('data: {'), command).toBe(command.includes('curl -N'))
  }
  const { id: RESPONSE_ID } = JSON.parse(await paste(fromPage[0] ?? '')) as { id: string }
  expect(await paste(chained, { RESPONSE_ID })).toContain(`"previous_response_id":"${RESPONSE_ID}"`)
})

test.each(pasted.map(({ path }) => path))(
  'the Python of %s calls what its JavaScript calls',
  (path) => {
    const { text, blocks } = openPage(path)
    const addressesIn = (code: string) => code.match(/http:\/\/[\w.:/]+/g) ?? []
    const known = new Set(addressesIn(blocks('js').join('\n')))
    for (const code of blocks('python')) {
      expect(code).toContain('os.environ["DRAGOMAN_KEY"]')
      expect(code).toContain('model="sandbox/echo"')
      expect(addressesIn(code).filter((address) => !known.has(address))).toEqual([])
      const packages = [...code.matchAll(/^from (\w+)/gm)].map(([, name = '']) => name)
      const [, installs = ''] = /`pip install ([\w -]+)`/.exec(text) ?? []
      for (const name of packages) expect(installs).toMatch(new RegExp(`\\b${name}\\b`))
    }
  },
)
