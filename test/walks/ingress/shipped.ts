import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../deploy/nginx/dragoman.conf')

/** What differs from the shipped configuration of nginx. */
export interface Surroundings {
  /** For temporary files. */
  readonly directory: string
  /** The port to listen on. */
  readonly port: number
  /** The ports of the gateways. */
  readonly gateways: readonly number[]
}

/** The shipped configuration of nginx with other ports, and directories that a user of a test may write. */
export async function shippedConfiguration({
  directory,
  port,
  gateways,
}: Surroundings): Promise<string> {
  const text = await readFile(file, 'utf8')
  const [server = ''] = /^ *server 127\.0\.0\.1:8787 .*$/m.exec(text) ?? []
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return replaced(text, [
    [/^worker_processes auto;$/m, 'worker_processes 1;'],
    [
      /^http \{$/m,
      `http {\n${temporary.map((name) => `  ${name}_temp_path ${directory}/${name};`).join('\n')}`,
    ],
    [/^ {2}access_log .*$/m, '  access_log off;'],
    [
      /^ *server 127\.0\.0\.1:8787 .*\n *server 127\.0\.0\.1:8789 .*$/m,
      gateways.map((gateway) => server.replace('8787', String(gateway))).join('\n'),
    ],
    [/^ *listen 8080;$/m, `    listen 127.0.0.1:${port};`],
  ])
}

/** Replaces what stands in a text exactly once. */
export function replaced(text: string, pairs: readonly (readonly [RegExp, string])[]): string {
  for (const [pattern, by] of pairs) {
    const { length } = text.split(pattern)
    if (length !== 2) throw new Error(`${pattern} stands ${length - 1} times in the configuration.`)
    text = text.replace(pattern, () => by)
  }
  return text
}
