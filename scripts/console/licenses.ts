import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
}

/** The licenses of the packages from which files of the build come, as a text: their terms ask for it. */
export function licensesOf(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
    const { name, version, license } = JSON.parse(manifest) as Manifest
    const [file] = globSync('LICENSE*', { cwd: folder })
    if (file === undefined) throw new Error(`${name} has no license.`)
    const text = readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
