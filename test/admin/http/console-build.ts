import { hash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A directory with a build of the console. */
export interface TestBuild extends AsyncDisposable {
  readonly directory: string
  /** Writes a file; of a text also its compressed forms, if `isPacked`. */
  write(name: string, text: string, isPacked?: boolean): Promise<void>
  /** Permits these operations, and no others. */
  permit(...documents: string[]): Promise<void>
}

const page = `<!doctype html>
<html lang="en"><head><title>Dragoman</title>
<script type="module" crossorigin src="./assets/index-abc123.js"></script>
<link rel="stylesheet" crossorigin href="./assets/index-abc123.css"></head>
<body><div id="root"></div></body></html>
`

/** The SHA-256 by which a console session names an operation. */
export function sha256Of(document: string): string {
  return hash('sha256', document)
}

/** Creates an empty directory, in which no build is. */
export async function startBuild(): Promise<TestBuild> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-console-'))
  async function write(name: string, text: string, isPacked = false): Promise<void> {
    const path = join(directory, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    if (!isPacked) return
    await writeFile(`${path}.br`, brotliCompressSync(text))
    await writeFile(`${path}.gz`, gzipSync(text))
  }
  return {
    directory,
    write,
    permit: (...documents) =>
      write(
        'operations.json',
        JSON.stringify(Object.fromEntries(documents.map((one) => [sha256Of(one), one]))),
      ),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Creates a build of one page with a script and a style, and these operations. */
export async function startConsole(...documents: string[]): Promise<TestBuild> {
  const build = await startBuild()
  await build.write('assets/index-abc123.js', `console.log('${'x'.repeat(2_000)}')`, true)
  await build.write('assets/index-abc123.css', 'body { color: red }')
  await build.write('assets/inter-def456.woff2', 'font')
  await build.write('.stamp', 'secret-of-the-build')
  await build.permit(...documents)
  await build.write('index.html', page)
  return build
}
