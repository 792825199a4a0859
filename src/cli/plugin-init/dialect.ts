import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

import { CommandError } from '../command.ts'
import { packageDirectory } from '../versions.ts'

/** The example from which a new dialect is made: small, whole, and tested with both contracts. */
const example = 'examples/dialect-ollama'

const withoutExamples =
  'This installation, such as the container image, has no examples. Run the command with the npm package of the gateway.'

const testFile = 'contracts.test.ts'

/** The modules and the test of a new dialect, by their paths in its package. Throws `CommandError` without examples. */
export function dialectFiles(name: string): Readonly<Record<string, string>> {
  const folder = join(packageDirectory(), example)
  if (!existsSync(folder)) throw new CommandError(withoutExamples)
  const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && !isSetting(file))
  const entries = sources.map((file) => {
    const text = renamed(readFileSync(join(folder, file), 'utf8'), name)
    return file === testFile
      ? [`test/${file}`, text.replaceAll("'./", "'../src/")]
      : [`src/${file}`, text]
  })
  return { 'src/index.ts': index, ...Object.fromEntries(entries) }
}

function isSetting(file: string): boolean {
  return file === 'dragoman.config.ts'
}

const main = './dialect.ts'

const index = `export { dialectPlugin as default } from '${main}'\n`

/** The id of the dialect and of its provider: the name of the package without its scope and `dragoman-`. */
function dialectIdOf(name: string): string {
  return basename(name).replace(/^dragoman-(?=.)/, '')
}

/** The example's code under the names of the new package. */
function renamed(text: string, name: string): string {
  const id = dialectIdOf(name)
  return text
    .replace("name: 'ollama',", `name: '${name}',`)
    .replace("{ ollama: { baseUrl: 'http://127.0.0.1:11434' } }", `{ '${id}': {} }`)
    .replaceAll("'ollama", `'${id}`)
    .replaceAll("'/api/", `'/${id}/api/`)
    .replaceAll("'Ollama API'", `'${id} API'`)
    .replaceAll('the Ollama API', 'this API')
    .replaceAll('OllamaObserver', 'StreamObserver')
    .replaceAll('ollamaCodec', 'dialectCodec')
    .replaceAll(/\bollama\b(?= =|\(\)| \})/g, 'dialectPlugin')
}

/** The README of a new dialect. `gateway`: the releases of the gateway that it works with. */
export function dialectReadmeOf(name: string, gateway: string): string {
  const id = dialectIdOf(name)
  return `# ${name}

A dialect of Dragoman, for clients and for accounts. It begins as a chat API that streams lines of JSON, which is to
become yours:

| file | what to change |
|---|---|
| \`src/dialect.ts\` | paths, credential, errors, framing, the observer of native streams |
| \`src/codec.ts\` | the features that its accounts support |
| \`src/decode-request.ts\`, \`src/encode-request.ts\`, \`src/options.ts\` | requests of its clients, and to its accounts |
| \`src/replies.ts\`, \`src/messages.ts\` | replies of its accounts, and to its clients |
| \`test/contracts.test.ts\` | a sample of the API: the contracts hold for it |

\`node_modules/dragoman/docs/dialects.md\` describes each part, and points to a codec for streams that have events for the
begin and the end of each part.

## Use

\`dragoman.config.yaml\`:

\`\`\`yaml
plugins:
  - use: '${name}'
accounts:
  - id: first
    provider: '${id}'
    baseUrl: 'http://127.0.0.1:11434'
    models: ['*']
\`\`\`

The plugin works with Dragoman \`${gateway}\`. A gateway can run the source as it is: \`use: ./src/index.ts\`, with the path
from its configuration.

## Develop

\`\`\`sh
npm test
npm run check
\`\`\`
`
}
