import type { Checkout } from './checkout.ts'

/** The names under which this repository has the SDKs. */
const packages: Readonly<Record<string, string>> = {
  openai: 'openai-7',
  '@anthropic-ai/sdk': 'anthropic-1',
  '@google/genai': 'genai-3',
}

/** Runs JavaScript as a newcomer would, and gives the output of each. */
export async function runSnippets(
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
