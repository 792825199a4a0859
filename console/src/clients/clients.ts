/** How a client is set up to call the gateway. */
export interface ClientSetUp {
  readonly name: string
  /** The set-up for the gateway at an address, without a slash at its end; the key is in `DRAGOMAN_KEY`. */
  readonly text: (url: string) => string
}

/** SDKs, agents and pages, in the order of the choice. */
export const clients: readonly ClientSetUp[] = [
  {
    name: 'OpenAI SDK, JavaScript',
    text: (url) => `import OpenAI from 'openai'

const client = new OpenAI({ apiKey: process.env.DRAGOMAN_KEY, baseURL: '${url}/v1' })
const response = await client.responses.create({ model: 'MODEL', input: 'Hello' })
console.log(response.output_text)`,
  },
  {
    name: 'OpenAI SDK, Python',
    text: (url) => `import os
from openai import OpenAI

client = OpenAI(api_key=os.environ["DRAGOMAN_KEY"], base_url="${url}/v1")
response = client.responses.create(model="MODEL", input="Hello")
print(response.output_text)`,
  },
  {
    name: 'OpenAI SDK, Go',
    text: (url) => `client := openai.NewClient(
	option.WithAPIKey(os.Getenv("DRAGOMAN_KEY")),
	option.WithBaseURL("${url}/v1/"),
)`,
  },
  {
    name: 'OpenAI SDK, Java',
    text: (url) => `OpenAIClient client = OpenAIOkHttpClient.builder()
    .apiKey(System.getenv("DRAGOMAN_KEY"))
    .baseUrl("${url}/v1")
    .build();`,
  },
  {
    name: 'Anthropic SDK, JavaScript',
    text: (url) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ apiKey: process.env.DRAGOMAN_KEY, baseURL: '${url}' })`,
  },
  {
    name: 'Anthropic SDK, Python',
    text: (url) => `import os
from anthropic import Anthropic

client = Anthropic(api_key=os.environ["DRAGOMAN_KEY"], base_url="${url}")`,
  },
  {
    name: 'Google SDK, JavaScript',
    text: (url) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: process.env.DRAGOMAN_KEY,
  httpOptions: { baseUrl: '${url}' },
})`,
  },
  {
    name: 'Claude Code',
    text: (url) => `export ANTHROPIC_BASE_URL=${url}
export ANTHROPIC_API_KEY=$DRAGOMAN_KEY
claude`,
  },
  {
    name: 'Codex',
    text: (url) => `# ~/.codex/config.toml
model = "MODEL"
model_provider = "dragoman"
web_search = "disabled"

[model_providers.dragoman]
name = "Dragoman"
base_url = "${url}/v1"
env_key = "DRAGOMAN_KEY"
wire_api = "responses"`,
  },
  {
    name: 'Gemini CLI',
    text: (url) => `export GOOGLE_GEMINI_BASE_URL=${url}
export GEMINI_API_KEY=$DRAGOMAN_KEY
gemini`,
  },
  {
    name: 'opencode',
    text: (url) =>
      JSON.stringify(
        {
          provider: {
            dragoman: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Dragoman',
              options: { baseURL: `${url}/v1`, apiKey: '{env:DRAGOMAN_KEY}' },
              models: { MODEL: { name: 'MODEL', tool_call: true } },
            },
          },
        },
        null,
        2,
      ),
  },
  {
    name: 'Cline',
    text: (url) => `API Provider: OpenAI Compatible
Base URL:     ${url}/v1
API Key:      the key
Model ID:     MODEL`,
  },
  {
    name: 'Aider',
    text: (url) => `export OPENAI_API_BASE=${url}/v1
export OPENAI_API_KEY=$DRAGOMAN_KEY
aider --model openai/MODEL`,
  },
  {
    name: 'Open WebUI',
    text: (
      url,
    ) => `docker run -d --name open-webui --network host -v open-webui:/app/backend/data \\
  -e OPENAI_API_BASE_URL=${url}/v1 -e OPENAI_API_KEY=$DRAGOMAN_KEY \\
  -e ENABLE_OLLAMA_API=false ghcr.io/open-webui/open-webui:main`,
  },
]
