import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const repository = join(import.meta.dirname, '../..')

export const readmeText = readFileSync(join(repository, 'README.md'), 'utf8')

/** The README's code blocks of one language, in order. */
export function blocks(language: 'sh' | 'js' | 'ts'): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')
  return [...readmeText.matchAll(fence)].map(([, code = '']) => code.trim())
}

/** The shell commands that begin with these words. */
export function commands(beginning: string): string[] {
  return blocks('sh').filter((command) => command.startsWith(beginning))
}

/** The address that the README's examples talk to. */
export const shownAddress = 'http://127.0.0.1:8787'
