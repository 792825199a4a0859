import { expect, test } from 'vitest'

import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'
import { printed } from './shells.ts'

const page = openPage('docs/quickstart.md')
const [install = '', ...curlExamples] = page.blocks('sh')
// The installation is CI's part: it takes the network and a minute.
const start = install.replace('npm ci && ', '')

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

/** The pages whose JavaScript runs as it is pasted, and the output of each block; the pages of media work with `@google/genai` 2. */
const pasted = [
  { path: 'README.md', google: 'genai-3', outputs: [/^(You said: Hello\n){2}$/, said(), said()] },
  { path: 'docs/quickstart.md', google: 'genai-3', outputs: [said(), said(), said(), said()] },
  {
    path: 'docs/videos.md',
    google: 'genai-2',
    // The second is plain HTTP, which reads `pending` where SDKs of OpenAI read `queued`.
    outputs: [/^completed video\/mp4 true/, /^completed$/m, /\/operations\//],
  },
  { path: 'docs/images.md', google: 'genai-2', outputs: [/^1536x1024 png \d+$/m] },
  { path: 'docs/embeddings.md', google: 'genai-3', outputs: [/^2 8 4$/m] },
  { path: 'docs/files.md', google: 'genai-2', outputs: [/^completed .*You said: Hello/] },
  { path: 'docs/uploads.md', google: 'genai-2', outputs: [/^201 local:/] },
]

function said(): RegExp {
  return /^You said: Hello\n?$/
}

test('the JavaScript of the README, the quickstart and the media runs as it is pasted', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const server = checkout.start(start)
  const { clients } = await serving(server)
  const env = { DRAGOMAN_KEY: await firstKey(server) }
  for (const { path, google, outputs } of pasted) {
    const { blocks, nameOf } = openPage(path)
    const snippets = blocks('js')
    expect(snippets).toHaveLength(outputs.length)
    for (const [index, snippet] of snippets.entries()) {
      const name = nameOf(snippet) ?? 'example.mjs'
      await checkout.write(name, withInstalled(addressed(snippet, { clients }), google))
      const output = await checkout.run(`node_modules/.bin/node ${name}`, env)
      expect(output, snippet).toMatch(outputs[index]!)
    }
  }
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

function withInstalled(snippet: string, google: string): string {
  const packages: Readonly<Record<string, string>> = {
    openai: 'openai-7',
    '@anthropic-ai/sdk': 'anthropic-1',
    '@google/genai': google,
  }
  return snippet.replaceAll(/from '([^']+)'/g, (whole, name: string) =>
    packages[name] ? `from '${packages[name]}'` : whole,
  )
}
