import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** The page of the configuration. */
export const pageText = readFileSync(join(root, 'docs/configuration.md'), 'utf8')

/** The code blocks of one language on the page, in order. */
export function blocksOf(language: 'ts' | 'json' | 'yaml' | 'sh'): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')
  return [...pageText.matchAll(fence)].map(([, code = '']) => code)
}

/** The page's example in each of its three forms. */
export const examples = (['ts', 'json', 'yaml'] as const).map((language) => ({
  name: `dragoman.config.${language}`,
  text: blocksOf(language)[0] ?? '',
}))

/** The environment variables that the examples name. */
export const secrets = {
  TEAM_A_KEY: 'team-a-secret',
  OPENAI_API_KEY: 'sk-1',
  ANTHROPIC_API_KEY: 'sk-2',
}

/** Loads configuration files with Node's own loader, which a test runner would replace. */
export async function loadFiles(paths: readonly string[]): Promise<unknown[]> {
  const script = join(import.meta.dirname, 'load-all.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths])
  const outcomes = JSON.parse(stdout) as { loaded?: { config: unknown } }[]
  return outcomes.map((outcome, index) => {
    if (outcome.loaded) return outcome.loaded.config
    throw new Error(`${paths[index]} does not load: ${JSON.stringify(outcome)}`)
  })
}

/** The configurations of the page's examples, as they load. */
export async function loadExamples(): Promise<unknown[]> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  try {
    for (const { name, text } of examples) await writeFile(join(directory, name), text)
    return await loadFiles(examples.map(({ name }) => join(directory, name)))
  } finally {
    await rm(directory, { recursive: true })
  }
}
