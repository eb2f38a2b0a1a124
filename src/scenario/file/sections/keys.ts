/**
 * Keys of accounts: rights, features, and the name of an application.
 */
import { z } from '../../../core/index.ts'
import { accessScopes, keyFeatures, keyName } from '../../../model/index.ts'

const accountKey = z.strictObject({
  scopes: z
    .array(z.enum(accessScopes))
    .optional()
    .meta({ description: 'Rights of the key; else all.', examples: [['block_trade:read_write']] }),
  features: z
    .array(z.enum(keyFeatures))
    .optional()
    .meta({
      description:
        'Features of the key: with block_trade_approval another key has to approve its block trades.',
      examples: [['block_trade_approval']],
    }),
  app_name: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Name of the application that asks with it.', examples: ['desk'] }),
})

/** Keys of an account by their names. */
export const accountKeys = z
  .record(z.string().regex(keyName, 'a name of at most 32 letters, digits, _ and -'), accountKey)
  .optional()
  .meta({
    description: 'Keys of the account by their names; a step asks with one as account/key.',
    examples: [{ desk: { features: ['block_trade_approval'] } }],
  })
