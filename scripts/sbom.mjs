// Writes the bill of materials of the package: `sbom.spdx.json`, when the package is packed. `npm sbom --omit dev`
// would leave out each dependency that a development tool needs too, so npm reads a lock without those tools.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const temporary = mkdtempSync(join(tmpdir(), 'dragoman-sbom-'))
try {
  const folder = join(temporary, 'dragoman')
  mkdirSync(folder)
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  const npm = (...words) =>
    execFileSync('npm', [...words, '--package-lock-only'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  npm('install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund')
  writeFileSync(join(root, 'sbom.spdx.json'), npm('sbom', '--sbom-format', 'spdx'))
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
