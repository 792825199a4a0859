/** The agents' packages: pinned in this folder's lockfile, installed the first time. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * Throws unless the packages are there in the end. No script of theirs runs. `npm ci` would refuse a
 * lockfile without the binaries of other platforms, which not every registry has.
 */
export function installPackages(): void {
  if (isCurrent()) return
  process.stderr.write('installing the pinned agents\n')
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the agents could not be installed (`npm install` failed)')
}

/** The version that is pinned. */
export function pinnedVersion(packageName: string): string {
  const version = pinned()[packageName]
  if (version === undefined) throw new Error(`${packageName} is not pinned`)
  return version
}

/** The path of a file of an installed package. */
export function fileOfPackage(packageName: string, file: string): string {
  return join(folder, 'node_modules', packageName, file)
}

function isCurrent(): boolean {
  return Object.entries(pinned()).every(([name, version]) => {
    const manifest = fileOfPackage(name, 'package.json')
    return existsSync(manifest) && readManifest(manifest).version === version
  })
}

function pinned(): Record<string, string> {
  return readManifest(join(folder, 'package.json')).dependencies
}

function readManifest(path: string): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof readManifest>
}
