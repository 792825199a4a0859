import type { Call } from '../../../src/contract/call.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { OtherModels } from '../shared/other-models.ts'

/** Returns the models that a request names beside `model`: fallbacks, and models of tools. */
export function otherModelsOf(json: JsonObject): Pick<Call, 'otherModels'> {
  const models = new OtherModels()
  models.noteStandIns(json)
  models.noteTools(json.tools, 'tools')
  if (Array.isArray(json.messages)) noteAddedTools(json.messages, models)
  return models.ofCall
}

/** Notes the models of tools that a conversation defines on its way. */
function noteAddedTools(messages: readonly unknown[], models: OtherModels): void {
  for (let turn = 0; turn < messages.length; turn++) {
    const content = (messages[turn] as JsonObject | null | undefined)?.content
    if (!Array.isArray(content)) continue
    for (let index = 0; index < content.length; index++) {
      const type = (content[index] as JsonObject | null | undefined)?.type
      if (type === 'tool_addition' || type === 'compaction') {
        noteBlock(content[index], `messages[${turn}].content[${index}]`, models)
      }
    }
  }
}

function noteBlock(block: JsonObject, path: string, models: OtherModels): void {
  noteAddition(block, () => path, models)
  const { tool_changes: changes } = block
  if (!Array.isArray(changes)) return
  for (let index = 0; index < changes.length; index++) {
    noteAddition(changes[index], () => `${path}.tool_changes[${index}]`, models)
  }
}

function noteAddition(addition: unknown, path: () => string, models: OtherModels): void {
  const definition = objectAt(objectAt(addition, 'tool'), 'definition')
  if (definition) models.noteTool(definition, () => `${path()}.tool.definition`)
}
