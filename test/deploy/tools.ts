import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** What a program printed, and how it ended. Never rejects. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export function runTool(
  file: string,
  words: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Outcome> {
  const all = { ...options, env: { ...process.env, ...options.env }, maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(file, words, all).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout = '', stderr = '', message }) => ({
      code: typeof code === 'number' ? code : 1,
      stdout,
      stderr: stderr || message,
    }),
  )
}

/** The path of a tool that an earlier run has made, or else makes it. Kept in the cache of the user. */
async function cached(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env
  const path = join(XDG_CACHE_HOME, 'dragoman-tests', name)
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (!exists) {
    await mkdir(dirname(path), { recursive: true })
    await make(path)
  }
  return path
}

/** Installs a program from its Go modules. */
function fromGo(name: string, module: string, version: string): Promise<string> {
  return cached(`${name}-${version}`, async (path) => {
    const directory = await mkdtemp(join(tmpdir(), `dragoman-${name}-`))
    try {
      const made = await runTool('go', ['install', `${module}@v${version}`], {
        env: { GOBIN: directory, GOTOOLCHAIN: 'local' },
      })
      if (made.code !== 0) throw new Error(`${module} cannot be installed: ${made.stderr}`)
      await rename(join(directory, module.split('/').at(-1) ?? ''), `${path}.part`).catch(() =>
        runTool('cp', [join(directory, module.split('/').at(-1) ?? ''), `${path}.part`]),
      )
      await rename(`${path}.part`, path)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
}

/** Helm, as `helm` of the path. */
export function installHelm(): Promise<string> {
  return fromGo('helm', 'helm.sh/helm/v3/cmd/helm', '3.22.0')
}

/** What `docker compose config` does: the reference implementation of the Compose Specification. */
export function installComposeReader(): Promise<string> {
  return fromGo('compose', 'github.com/compose-spec/compose-go/v2/cmd', '2.16.2')
}

/** A directory of Python packages with `kubernetes-validate` and its schemas of Kubernetes 1.37. */
export function installKubernetesValidate(): Promise<string> {
  return cached('kubernetes-validate-1.37.0', async (path) => {
    const words = ['-m', 'pip', 'install', '--quiet', '--target', `${path}.part`]
    const made = await runTool('python3', [...words, 'kubernetes-validate==1.37.0'])
    if (made.code !== 0) throw new Error(`kubernetes-validate cannot be installed: ${made.stderr}`)
    await rename(`${path}.part`, path)
  })
}
