import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** The largest file of a secret, in bytes. */
const largestSecret = 64 * 1024

/** The content of a secret's file, or the reason why it cannot be read. No message repeats the content. */
type SecretFile =
  | { readonly secret: string }
  | { readonly secret?: undefined; readonly message: string; readonly fix: string }

/** Reads the secret in a file, without one line break at its end. Never throws. `mostBytes`: of the file. */
export function readSecretFile(file: string, mostBytes: number = largestSecret): SecretFile {
  // The text is not repeated: without a path it may be the secret.
  if (!isAbsolute(file)) {
    return {
      message: 'file: is not followed by an absolute path',
      fix: 'write file: and the whole path, for example file:/run/secrets/openai',
    }
  }
  try {
    return readOpened(file, mostBytes)
  } catch (error) {
    return fault(file, reasonOf(error), 'check the path, and that this user may read the file')
  }
}

function readOpened(file: string, mostBytes: number): SecretFile {
  // Without blocking: a pipe that has no writer would stop the process.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (stat.isDirectory()) return fault(file, 'is a directory', 'name the file in it')
    if (!stat.isFile()) return fault(file, 'is not a regular file', 'name a regular file')
    const content = readAtMost(descriptor, mostBytes + 1)
    if (content.length > mostBytes) {
      return fault(
        file,
        `has more than ${mostBytes} bytes`,
        'name a file with nothing but the secret',
      )
    }
    const secret = content.toString('utf8').replace(/\r?\n$/, '')
    return secret === '' ? fault(file, 'is empty', 'write the secret into it') : { secret }
  } finally {
    closeSync(descriptor)
  }
}

/** The size of a file may be unknown before it is read. */
function readAtMost(descriptor: number, most: number): Buffer {
  const buffer = Buffer.alloc(most)
  let length = 0
  for (;;) {
    const read = readSync(descriptor, buffer, length, most - length, null)
    length += read
    if (read === 0 || length === most) return buffer.subarray(0, length)
  }
}

function reasonOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown }
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user'
  return `cannot be read (${typeof code === 'string' ? code : 'unknown reason'})`
}

function fault(file: string, reason: string, fix: string): SecretFile {
  return { message: `the file ${JSON.stringify(file)} ${reason}`, fix }
}
