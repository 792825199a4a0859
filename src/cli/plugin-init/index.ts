import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { CommandError, type Invocation } from '../command.ts'
import { shellQuote } from '../hints.ts'
import { packageVersion } from '../versions.ts'
import { moduleOf, testOf } from './code.ts'
import { dialectFiles, dialectReadmeOf } from './dialect.ts'
import { requirePackageName } from './name.ts'
import { buildTsconfig, manifestOf, tsconfig } from './package.ts'
import { readmeOf } from './readme.ts'

/**
 * `dragoman plugin init NAME`: writes the package of a plugin, with a test that passes, into a new or empty directory;
 * with `--dialect` the package of a dialect.
 */
export async function run({ operand, options, terminal }: Invocation): Promise<number> {
  const { cwd, say } = terminal
  const name = await requirePackageName(operand)
  const directory = options['directory'] || basename(name)
  const path = resolve(cwd, directory)
  const files = filesOf(name, options['dialect'] !== undefined)
  await openDirectory(path).catch((error: unknown) => {
    throw explained(error, directory)
  })
  for (const [file, text] of Object.entries(files)) {
    await write(join(path, file), text).catch((error: unknown) => {
      throw explained(error, join(directory, file))
    })
  }
  say(`Wrote ${name} into ${directory}: ${Object.keys(files).join(', ')}.`)
  say(nextSteps(directory).join('\n'))
  return 0
}

/** The files of a new package, by their paths. The license is the author's to choose. */
function filesOf(name: string, isDialect: boolean): Readonly<Record<string, string>> {
  const gateway = `^${packageVersion()}`
  return {
    'package.json': manifestOf(name, gateway, isDialect),
    'tsconfig.json': tsconfig,
    'tsconfig.build.json': buildTsconfig,
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
    ...(isDialect
      ? { 'README.md': dialectReadmeOf(name, gateway), ...dialectFiles(name) }
      : {
          'README.md': readmeOf(name, gateway),
          'src/index.ts': moduleOf(name),
          'test/plugin.test.ts': testOf(name),
        }),
  }
}

async function openDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  if ((await readdir(path)).length > 0) throw new NotEmpty()
}

class NotEmpty extends Error {}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag: 'wx' })
}

function explained(error: unknown, path: string): CommandError {
  const fix = 'Choose another directory: --directory DIR.'
  if (error instanceof NotEmpty)
    return new CommandError(`${path} is not empty: nothing is written. ${fix}`)
  const { code = 'error' } = error as NodeJS.ErrnoException
  return new CommandError(`${path} cannot be written (${code}). ${fix}`, { cause: error })
}

function nextSteps(directory: string): string[] {
  return [
    'Next:',
    `  cd ${shellQuote(directory)}`,
    '  npm install  # if no registry has dragoman: npm install --save-dev /path/to/dragoman-VERSION.tgz (npm pack)',
    '  npm test',
    '  # then name it in a configuration: README.md',
  ]
}
