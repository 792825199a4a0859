import { join } from 'node:path'
import { fileOfPackage } from '../packages.ts'
import type { DialectName } from '../dialects.ts'
import type { Agent } from './agent.ts'

/** opencode with its provider for servers like OpenAI's. */
export const opencodeChat = opencode('chat', 'gpt-5.4', '@ai-sdk/openai-compatible')

/** opencode with its provider for Anthropic. */
export const opencodeMessages = opencode('messages', 'claude-sonnet-4-6', '@ai-sdk/anthropic')

function opencode(dialect: DialectName, model: string, provider: string): Agent {
  return {
    name: 'opencode',
    packageName: 'opencode-ai',
    dialect,
    model,
    shell: {
      name: 'bash',
      input: (command) => ({ command, description: 'Copies a file and shows it' }),
    },
    launch: ({ home, url, key, prompt }) => ({
      command: [binary(), 'run', '--pure', '--model', `dragoman/${model}`, prompt],
      env: {
        OPENCODE_CONFIG: join(home, 'opencode.json'),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      },
      files: {
        [join(home, 'opencode.json')]: JSON.stringify(configuration({ url, key, model, provider })),
      },
    }),
  }
}

interface Choices {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly provider: string
}

function configuration({ url, key, model, provider }: Choices): object {
  return {
    autoupdate: false,
    share: 'disabled',
    permission: { bash: 'allow' },
    provider: {
      dragoman: {
        npm: provider,
        name: 'Dragoman',
        options: { baseURL: `${url}/v1`, apiKey: key },
        models: { [model]: { name: model, tool_call: true, reasoning: true } },
      },
    },
  }
}

/** The package's own command is put together by its install script, which doesn't run here. */
function binary(): string {
  return fileOfPackage(`opencode-${process.platform}-${process.arch}`, 'bin/opencode')
}
