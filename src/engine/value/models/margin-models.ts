/**
 * The margin models by name. A name without a model does not compile.
 */
import type { MarginModel } from '../../../model/index.ts'
import type { AccountRow } from '../../state/index.ts'
import { crossPortfolio } from './cross-portfolio.ts'
import { crossStandard } from './cross-standard.ts'
import type { MarginModelRules } from './margin-model.ts'
import { segregatedPortfolio } from './segregated-portfolio.ts'
import { segregatedStandard } from './segregated-standard.ts'

const marginModelRules: { readonly [M in MarginModel]: MarginModelRules } = {
  segregated_sm: segregatedStandard,
  cross_sm: crossStandard,
  segregated_pm: segregatedPortfolio,
  cross_pm: crossPortfolio,
}

/** The margin model of an account. */
export function modelOf({ account }: Pick<AccountRow, 'account'>): MarginModelRules {
  return marginModelRules[account.marginModel]
}
