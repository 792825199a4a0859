import type { DialectName } from '../dialects.ts'
import type { ToolInput } from '../model/pin-tool.ts'

/** Where an agent runs and whom it talks to. All of it is gone after the trial. */
export interface Place {
  readonly home: string
  readonly work: string
  /** The gateway's origin. */
  readonly url: string
  /** The gateway's API key. */
  readonly key: string
  readonly model: string
  readonly prompt: string
}

/** How an agent is started without anybody at its keyboard. */
export interface Launch {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Configuration to write before the start: absolute paths and their text. */
  readonly files: Readonly<Record<string, string>>
}

/** A coding agent, pinned in this folder's `package.json`. */
export interface Agent {
  readonly name: string
  /** The package that it is published as. */
  readonly packageName: string
  readonly dialect: DialectName
  /** The model that it asks the gateway for. */
  readonly model: string
  /** Its tool for shell commands: the name, and the input that runs this command. */
  readonly shell: { readonly name: string; input(command: string): ToolInput }
  launch(place: Place): Launch
}
