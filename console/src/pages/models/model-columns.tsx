import { Link } from '@tanstack/react-router'

import { counted, unknownCell } from '../../format/numbers.ts'
import { State } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import { type Alias, type Model, modelLook } from './model.ts'
import { pricesOf } from './prices.ts'

/** The columns of the list of models. */
export function modelColumns(
  aliasOf: (name: string) => Alias | undefined,
): readonly Column<Model>[] {
  return [
    {
      id: 'model',
      head: 'Model',
      isHead: true,
      cell: ({ name, model, kind }) => (
        <>
          <Link
            from="/models"
            to="/models"
            search={(former) => ({ ...former, open: name })}
            className="mono quiet-link wrap-anywhere"
          >
            {name}
          </Link>
          {kind === 'ALIAS' && (
            <p className="secondary">
              alias of <span className="mono">{model}</span>
            </p>
          )}
          {kind === 'PATTERN' && <p className="secondary">all names like this</p>}
        </>
      ),
    },
    {
      id: 'state',
      head: 'State',
      cell: (model) => (
        <>
          <State look={modelLook(model)} />
          {model.standIn && <p className="secondary">{model.standIn} stands in</p>}
        </>
      ),
    },
    {
      id: 'accounts',
      head: 'Accounts',
      isWide: true,
      cell: ({ accounts: { edges, pageInfo } }) => (
        <span className="mono wrap-anywhere">
          {edges
            .slice(0, 3)
            .map(({ node }) => node.accountId)
            .join(', ') || unknownCell}
          {(edges.length > 3 || pageInfo.hasNextPage) && <span className="muted"> and more</span>}
        </span>
      ),
    },
    {
      id: 'price',
      head: 'Million tokens in, out',
      isNumber: true,
      isWide: true,
      cell: (model) => <Prices model={model} />,
    },
    {
      id: 'choice',
      head: 'Chosen by',
      isWide: true,
      cell: ({ name, served }) => (served ? strategyText(aliasOf(name)) : unknownCell),
    },
  ]
}

function Prices({ model }: { readonly model: Model }) {
  const { texts, unpriced } = pricesOf(model)
  const [first, ...others] = texts
  if (first === undefined)
    return unpriced > 0 ? <span className="share-much">no price</span> : unknownCell
  const notes = [
    others.length > 0 && counted(others.length, 'other price', 'other prices'),
    unpriced > 0 && `none at ${counted(unpriced, 'account')}`,
  ].filter(Boolean)
  return (
    <>
      {first}
      {notes.length > 0 && <p className="secondary">{notes.join(', ')}</p>}
    </>
  )
}

function strategyText(alias: Alias | undefined): string {
  if (alias?.problem) return alias.problem
  const { strategy, fallbacks } = alias ?? {}
  const by = strategy ? strategies[strategy] : 'priority and weight'
  return fallbacks && fallbacks.length > 0
    ? `${by}, then ${fallbacks.map(({ model }) => model).join(', ')}`
    : by
}

/** How the account of a model is chosen, by the strategy. */
export const strategies = {
  LEAST_BUSY: 'fewest calls in flight',
  LATENCY: 'lowest latency',
  COST: 'lowest cost',
} as const
