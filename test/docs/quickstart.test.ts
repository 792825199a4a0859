import { expect, test } from 'vitest'

import { type Checkout, firstKey, openCheckout, serving } from './checkout.ts'
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

test('the official SDKs stream as the page shows them', async () => {
  await using checkout = await openCheckout()
  const server = checkout.start(start)
  const { clients } = await serving(server)
  const snippets = page.blocks('js').map((snippet) => addressed(snippet, { clients }))
  expect(snippets).toHaveLength(4)
  const outputs = await runSnippets(checkout, snippets, await firstKey(server))
  for (const output of outputs) expect(output).toContain('You said: Hello')
})

/** The names under which this repository has the SDKs. */
const packages: Readonly<Record<string, string>> = {
  openai: 'openai-7',
  '@anthropic-ai/sdk': 'anthropic-1',
  '@google/genai': 'genai-3',
}

/** Runs JavaScript as a newcomer would, and gives the output of each. */
async function runSnippets(
  checkout: Checkout,
  snippets: readonly string[],
  key: string,
): Promise<string[]> {
  const outputs: string[] = []
  for (const [index, snippet] of snippets.entries()) {
    const name = `snippet-${index}.mjs`
    await checkout.write(name, withInstalled(snippet))
    outputs.push(await checkout.run(`node_modules/.bin/node ${name}`, { DRAGOMAN_KEY: key }))
  }
  return outputs
}

function withInstalled(snippet: string): string {
  return snippet.replaceAll(/from '([^']+)'/g, (whole, name: string) =>
    packages[name] ? `from '${packages[name]}'` : whole,
  )
}
