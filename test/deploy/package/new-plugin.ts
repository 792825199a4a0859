import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'

import type { Installed } from './installed.ts'
import { repository } from './manifest.ts'

/** Makes the compiler and the types of Node available to a package inside the application, as its installation does. */
export async function provideCompiler({ folder }: Installed): Promise<void> {
  const modules = join(repository, 'node_modules')
  const linked = ['.bin/tsc', '@types/node']
  for (const name of linked) {
    const link = join(folder, 'node_modules', name)
    await mkdir(join(link, '..'), { recursive: true })
    await symlink(join(modules, name), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Packs a package of the application and installs the tarball under its name; returns its files. */
export async function packInto(
  installed: Installed,
  path: string,
  name: string,
): Promise<string[]> {
  const output = await installed.run(['npm', 'pack', '--silent', `./${path}`])
  const tarball = /^\S+\.tgz$/m.exec(output)?.[0] ?? output
  const target = join(installed.folder, 'node_modules', name)
  await mkdir(target, { recursive: true })
  await installed.run(['tar', '-xzf', tarball, '-C', target, '--strip-components', '1'])
  const found = await readdir(target, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => relative(target, join(parentPath, name))).toSorted()
}
