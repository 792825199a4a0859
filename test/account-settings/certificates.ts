import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { temporaryDirectory } from '../stores/temporary.ts'

const run = promisify(execFile)

/** A certificate and its key, in PEM. */
export interface Pair {
  readonly cert: string
  readonly key: string
}

/** A certificate authority of a test. */
export interface Authority extends AsyncDisposable {
  /** Its certificate, in PEM. */
  readonly ca: string
  /** The directory of its files. */
  readonly directory: string
  /** Makes a certificate for a name, and for this machine and the host `model.test`. */
  issue(name: string): Promise<Pair>
}

/** Creates a certificate authority with the `openssl` of this machine. */
export async function createAuthority(name = 'test authority'): Promise<Authority> {
  const directory = await temporaryDirectory()
  const at = (file: string) => join(directory.path, file)
  /** Runs a command of words, and further arguments that may have spaces. */
  const openssl = (words: string, ...rest: readonly string[]) =>
    run('openssl', [...words.split(' '), ...rest], { cwd: directory.path })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  const subject = (text: string) => ['-subj', `/CN=${text}`]
  await openssl(`req -x509 ${newKey} -keyout ca.key -out ca.pem -days 30`, ...subject(name))
  await writeFile(at('names'), 'subjectAltName=DNS:localhost,DNS:model.test,IP:127.0.0.1\n')
  let issued = 0
  return {
    ca: await readFile(at('ca.pem'), 'utf8'),
    directory: directory.path,
    async issue(common) {
      const file = `issued-${++issued}`
      await openssl(`req ${newKey} -keyout ${file}.key -out ${file}.csr`, ...subject(common))
      await openssl(
        `x509 -req -in ${file}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile names -days 30 -out ${file}.pem`,
      )
      const [cert, key] = await Promise.all(
        ['pem', 'key'].map((end) => readFile(at(`${file}.${end}`), 'utf8')),
      )
      return { cert: cert!, key: key! }
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}
