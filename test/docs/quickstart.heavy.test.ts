import { expect, test } from 'vitest'

import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'
import { start, pasted } from './pasted.ts'

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

function withInstalled(snippet: string, google: string): string {
  const packages: Readonly<Record<string, string>> = {
    openai: 'openai-7',
    '@anthropic-ai/sdk': 'anthropic-1',
    '@google/genai': google,
  }
  return snippet.replaceAll(/from '((?:@[^/']+\/)?[^/']+)/g, (whole, name: string) =>
    packages[name] ? `from '${packages[name]}` : whole,
  )
}
