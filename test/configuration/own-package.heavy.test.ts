import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { entries } from '../deploy/package/manifest.ts'
import { loadFiles } from './page.ts'

test('a configuration imports every module of this checkout by its public name', async () => {
  const modules = entries.filter(({ isJson }) => !isJson)
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  try {
    const imports = modules.map(
      ({ specifier }, index) => `import * as entry${index} from '${specifier}'`,
    )
    const names = modules.map((_, index) => `entry${index}`).join(', ')
    const sizes = `[${names}].map((entry) => Object.keys(entry).length)`
    const file = join(directory, 'dragoman.config.mjs')
    await writeFile(file, [...imports, `export default ${sizes}`].join('\n'))
    const [loaded] = (await loadFiles([file])) as number[][]
    expect(loaded).toHaveLength(modules.length)
    expect(Math.min(...(loaded ?? []))).toBeGreaterThan(0)
  } finally {
    await rm(directory, { recursive: true })
  }
})
