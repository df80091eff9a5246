/** Members that a key speaks for: those of its app, its owner, or any. */
export type ConsumerKind = 'app' | 'member' | 'admin';
