import { globSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'

import { blocksOf } from '../../configuration/page.ts'
import type { Installed } from './installed.ts'
import { entries, repository } from './manifest.ts'

/** The files of an application that imports every entry, with a mistake that the types must find. */
export const consumerFiles = ['entries.ts', 'configured.ts', 'mistaken.ts']

export async function writeConsumer(installed: Installed): Promise<void> {
  const imports = entries.map(({ specifier, isJson }, index) =>
    isJson
      ? `import entry${index} from '${specifier}' with { type: 'json' }`
      : `import * as entry${index} from '${specifier}'`,
  )
  const names = entries.map((_, index) => `entry${index}`).join(', ')
  const sizes = `[${names}].map((entry) => Object.keys(entry).length)`
  const lines = [...imports, `console.log(JSON.stringify(${sizes}))`]
  await installed.write('entries.ts', lines.join('\n'))
  await installed.write('configured.ts', blocksOf('ts')[0] ?? '')
  await installed.write('mistaken.ts', mistaken)
}

const mistaken = `import { defineConfig } from 'dragoman'

// @ts-expect-error
export default defineConfig({ limits: { attempts: '5' } })
`

/** Both ways in which applications resolve modules, and the format of modules that goes with each. */
export const resolutions = { nodenext: 'nodenext', bundler: 'preserve' } as const

/** Type-checks files of the application, and the declarations of all packages with them. */
export async function typeCheck(
  installed: Installed,
  resolution: keyof typeof resolutions,
  files: readonly string[],
): Promise<string> {
  const project = `tsconfig.${resolution}.json`
  const compilerOptions = {
    module: resolutions[resolution],
    moduleResolution: resolution,
    target: 'es2024',
    lib: ['es2025', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
  }
  await installed.write(project, JSON.stringify({ compilerOptions, files }))
  // Several checkers would each derive the types that they share.
  const words = ['--project', project, '--checkers', '1']
  return installed.run([join(repository, 'node_modules/.bin/tsc'), ...words])
}

/**
 * Copies the examples of the repository that need the gateway alone into the application; returns their
 * modules.
 */
export async function copyExamples(installed: Installed): Promise<string[]> {
  const modules = globSync('examples/{*,plugins/*}/*.{ts,json}', {
    cwd: repository,
    exclude: (path) => path.includes('admin-client'),
  })
  for (const module of modules) {
    await cp(join(repository, module), join(installed.folder, module))
  }
  return modules.filter((module) => module.endsWith('.ts'))
}
