import { globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const repository = join(import.meta.dirname, '../..')

export type Language = 'sh' | 'js' | 'ts' | 'python' | 'toml' | 'yaml' | 'json' | 'graphql'

/** A page of the documentation. */
export interface Page {
  /** In the repository: `docs/quickstart.md`. */
  readonly path: string
  readonly text: string
  /** The code blocks of one language, in order. */
  blocks(language: Language): string[]
  /** The code block of a language that holds these words. Throws unless there is exactly one. */
  block(language: Language, words: string): string
  /** The file that the page gives a code block as: `parrot.ts` in a line of its own, or none. */
  nameOf(code: string): string | undefined
  /** The shell commands that begin with these words, in order. */
  commands(beginning: string): string[]
  /** The text from a heading of the second level to the next one. Throws where there is none. */
  section(heading: string): string
}

/** Reads a page by its path in the repository. */
export function openPage(path: string): Page {
  const text = readFileSync(join(repository, path), 'utf8')
  const blocks = (language: Language) => {
    const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')
    return [...text.matchAll(fence)].map(([, code = '']) => code.trim())
  }
  return {
    path,
    text,
    blocks,
    block(language, words) {
      const [found, ...more] = blocks(language).filter((code) => code.includes(words))
      if (found !== undefined && more.length === 0) return found
      throw new Error(
        `${path} has ${found ? more.length + 1 : 0} ${language} blocks with ${words}.`,
      )
    },
    nameOf(code) {
      const before = text.slice(0, text.indexOf(code))
      const [, name] =
        /`([\w.-]+)`(?:, in a folder of your own[^\n]*)?:\n\n```\w+\n$/.exec(before) ?? []
      return name === 'dragoman.config.ts' ? undefined : name
    },
    commands: (beginning) => blocks('sh').filter((command) => command.startsWith(beginning)),
    section(heading) {
      const from = text.indexOf(`\n## ${heading}\n`)
      if (from < 0) throw new Error(`${path} has no section "${heading}".`)
      const end = text.indexOf('\n## ', from + 1)
      return text.slice(from, end < 0 ? text.length : end)
    },
  }
}

/** The paths of all pages: those at the root, under `docs`, and of the examples. */
export function pagePaths(): string[] {
  const atRoot = readdirSync(repository).filter((name) => name.endsWith('.md'))
  const below = globSync(['docs/**/*.md', 'examples/{,*/,plugins/*/}*.md'], { cwd: repository })
  return [...atRoot, ...below].toSorted()
}

/** Where the examples of all pages find a gateway, its admin listener and the sandbox. */
const shown = {
  clients: 'http://127.0.0.1:8787',
  admin: 'http://127.0.0.1:8788',
  sandbox: 'http://127.0.0.1:8790',
}

/** An example with the addresses of a test. */
export function addressed(example: string, addresses: Partial<typeof shown>): string {
  const names = Object.keys(addresses) as (keyof typeof shown)[]
  return names.reduce((text, name) => text.replaceAll(shown[name], addresses[name] ?? ''), example)
}
